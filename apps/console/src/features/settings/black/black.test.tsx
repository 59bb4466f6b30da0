// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/dns-admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { blackConfig } from '@tidegate/contract/config/black'
import type { BlackRow } from '@tidegate/contract/operations/black'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { describe, expect, it } from 'vitest'
import { chooseLang } from '../../../shared/i18n.ts'
import { EMPTY_LIST } from '../../../testing/fixtures.ts'
import { press, showPage, tableRow } from '../../../testing/page.tsx'
import { peer, Refusal } from '../../../testing/peer.ts'
import { asOperator, listed, row } from '../testing.tsx'
import { Page } from './BlackPage.tsx'

asOperator()

const entry = (id: number, domain: string, more: Partial<BlackRow> = {}): BlackRow => ({
  ...{ id, domain, scope: 'tree', enabled: true, category: '', remark: '' },
  ...{ createTime: '2026-11-20T10:00:00Z', updateTime: '2026-11-20T10:00:00Z' },
  ...more,
})
const ROWS = [entry(1, 'bad.example', { category: 'ads', remark: 'why' }), entry(2, 'alone.example', { scope: 'name' })]

type State = OutputOf<'black.state'>['data']
const STATE: State = { total: 2, active: 2, changeTime: '2026-11-20T10:00:00Z', categories: ['ads'], readers: [] }

const show = (path = '/dns/black/config/', more: Parameters<typeof peer>[0] = {}, state: Partial<State> = {}) => {
  const { seen } = peer({
    'black.list': () => ({ data: { ...EMPTY_LIST.data, list: ROWS, totalCount: 2 } }),
    'black.state': () => ({ data: { ...STATE, ...state } }),
    'black.save': () => ({ count: 2 }),
    'black.enable': () => ({ count: 1 }),
    'black.delete': () => ({}),
    'black.clear': () => ({ count: 2 }),
    'black.rules': ({ file }) => ({ data: { file: String(file ?? '/var/lib/dnsdist/x.cdb'), rules: `-- ${file}` } }),
    'config.list': () => listed([row(55, 'dns_black', blackConfig.parse({}), { switchable: false, status: 1 })]),
    'config.update': ({ id }) => ({ id: Number(id), version: 2 }),
    ...more,
  })
  showPage(Page, path)
  return (id: string) => seen.filter((one) => one.id === id).map((one) => one.input)
}
const errorsShown = () =>
  [...document.querySelectorAll('.ant-form-item-explain-error')].map((one) => one.textContent ?? '')
const theText = () =>
  waitFor(() => {
    const found = document.querySelector('.ant-drawer textarea')
    if (found === null) throw new Error('no text')
    return found
  })
const type = async (label: RegExp | string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

describe('the domains of the blacklist', () => {
  it('are listed with what they block, and filtered by what the address names', async () => {
    const asked = show('/dns/black/config/?key=bad&scope=tree&enabled=1&category=ads')
    const cells = [...(await tableRow('bad.example')).cells].map((cell) => cell.textContent)
    expect(cells.join(' ')).toContain('with everything below')
    expect((await tableRow('alone.example')).textContent).toContain('this name only')
    expect(asked('black.list')[0]).toMatchObject({ key: 'bad', scope: 'tree', enabled: true, category: 'ads' })
    await screen.findByText(/2 entries, 2 enabled/)
  })

  it.each([
    [
      'en',
      'Add domains',
      'Save',
      'line 2: domain format error: no domain',
      'line 3: is there already in line 1: a.example',
    ],
    ['zh', '添加域名', '保存', '第 2 行：域名格式错误：no domain', '第 3 行：与第 1 行重复：a.example'],
  ] as const)('are added one a line; each wrong line is named, in %s', async (lang, add, save, wrong, twice) => {
    chooseLang(lang)
    const asked = show()
    await press(add)
    const text = await theText()
    fireEvent.change(text, { target: { value: 'a.example\nno domain\nA.example' } })
    await press(save)
    await waitFor(() => expect(errorsShown()).toEqual([wrong, twice]))
    expect(asked('black.save')).toEqual([])
    fireEvent.change(text, { target: { value: 'a.example\n*.b.example' } })
    await press(save)
    await waitFor(() =>
      expect(asked('black.save')).toEqual([
        { domains: 'a.example\n*.b.example', scope: 'tree', enabled: true, category: '', remark: '' },
      ]),
    )
  })

  it('show every line that the server refuses', async () => {
    show(undefined, {
      'black.save': () =>
        new Refusal(400, {
          ...{ error: 'invalid_input', msg: 'wrong' },
          errors: [1, 2].map((line) => ({ path: 'domains', msg: `line ${line}: is on the list already` })),
        }),
    })
    await press('Add domains')
    fireEvent.change(await theText(), { target: { value: 'a.example\nb.example' } })
    await press('Save')
    await waitFor(() =>
      expect(errorsShown()).toEqual(['line 1: is on the list already', 'line 2: is on the list already']),
    )
  })

  it('are edited, switched off, deleted alone and all together', async () => {
    const asked = show()
    const line = await tableRow('bad.example')
    await press('Edit', () => line)
    await type('Remark', 'changed')
    await press('Save')
    await waitFor(() =>
      expect(asked('black.save')[0]).toMatchObject({
        id: 1,
        domains: 'bad.example',
        remark: 'changed',
        category: 'ads',
      }),
    )
    fireEvent.click(screen.getByLabelText('More actions: alone.example'))
    fireEvent.click(await screen.findByText('Disable'))
    await waitFor(() => expect(asked('black.enable')).toEqual([{ ids: [2], enabled: false }]))
    await press('More')
    fireEvent.click(await screen.findByText('Delete all that are listed'))
    await type(/To confirm|type/i, 'delete')
    await press('Delete', () => document.querySelector('.ant-modal'))
    await waitFor(() => expect(asked('black.clear')).toEqual([{}]))
  })

  it('are checked by name: blocked by what, spared by what, or wrong', async () => {
    const none = { entry: null, enabled: true, blocked: false, match: '', by: '' as const }
    const asked = show(undefined, {
      'black.check': ({ domain }) =>
        domain === 'wrong'
          ? new Refusal(400, {
              error: 'invalid_input',
              msg: 'w',
              errors: [{ path: 'domain', msg: 'domain format error' }],
            })
          : {
              data:
                domain === 'x.bad.example'
                  ? { ...none, domain, blocked: true, by: 'entry', match: 'bad.example', entry: ROWS[0] ?? null }
                  : { ...none, domain: String(domain), by: 'exception', match: 'good.example' },
            },
    })
    await type('Check a name', 'x.bad.example')
    await press('Check')
    await screen.findByText('x.bad.example is blocked')
    await screen.findByText('by the entry *.bad.example')
    await type('Check a name', 'www.good.example')
    await press('Check')
    await screen.findByText('the exception good.example spares it')
    await type('Check a name', 'wrong')
    await press('Check')
    await screen.findByText('domain format error')
    expect(asked('black.check').map((one) => one.domain)).toEqual(['x.bad.example', 'www.good.example', 'wrong'])
  })

  it('come from a file, with what it is told to do; what is wrong stands below it', async () => {
    let refused = true
    const asked = show(undefined, {
      'black.import': () =>
        refused
          ? new Refusal(400, {
              ...{ error: 'invalid_input', msg: 'wrong' },
              errors: [{ path: 'file', msg: 'line 7: domain format error: x' }],
            })
          : { added: 5, skipped: 2 },
    })
    await press('Import')
    await press('Import', () => document.querySelector('.ant-modal-footer'))
    await screen.findByText('Choose a file first')
    const input = document.querySelector<HTMLInputElement>('.ant-modal input[type=file]')
    if (input === null) throw new Error('no input')
    fireEvent.change(input, { target: { files: [new File(['a.example'], 'list.txt', { type: 'text/plain' })] } })
    await screen.findByText(/list\.txt/)
    fireEvent.click(screen.getByLabelText('Skip them'))
    await press('Import', () => document.querySelector('.ant-modal-footer'))
    await screen.findByText('line 7: domain format error: x')
    refused = false
    await press('Import', () => document.querySelector('.ant-modal-footer'))
    await screen.findByText('5 domains added, 2 skipped')
    expect(asked('black.import').at(-1)).toMatchObject({ existing: 'skip', scope: 'tree' })
  })
})

describe('the settings of the blacklist', () => {
  it('ask for addresses only where these are the answer, and say what is wrong before the server does', async () => {
    const asked = show('/dns/black/config/?tab=setting')
    await screen.findByLabelText(/TTL/)
    expect(screen.queryByLabelText(/Addresses/)).toBeNull()
    fireEvent.click(await screen.findByLabelText('These addresses'))
    await press('Save')
    await screen.findByText('is required')
    await type(/Addresses/, '192.0.2.1\nx')
    await screen.findByText('line 2: IP format error: x')
    await type(/Addresses/, '192.0.2.1')
    await type(/Exceptions/, 'good.example\nwrong')
    await screen.findByText('line 2: domain format error: wrong')
    await type(/Exceptions/, 'good.example')
    await press('Save')
    await waitFor(() =>
      expect(JSON.parse(String(asked('config.update')[0]?.paramValue))).toMatchObject({
        ...{ answer: 'address', addresses: '192.0.2.1', exceptions: 'good.example', ttl: 60, enabled: true },
      }),
    )
  })

  it('say that nothing is blocked while no server takes the list, and how one is made to', async () => {
    const asked = show('/dns/black/config/?tab=setting')
    await screen.findByText(/No server has fetched the list/)
    const path = await screen.findByLabelText('Path of the list on the server')
    await waitFor(() => expect(path).toHaveProperty('value', '/var/lib/dnsdist/x.cdb'))
    fireEvent.change(path, { target: { value: "/srv/it's.cdb" } })
    fireEvent.blur(path)
    await waitFor(() => expect(asked('black.rules').at(-1)).toEqual({ file: "/srv/it's.cdb" }))
    await waitFor(() => expect(document.body.textContent).toContain("list='/srv/it'\\''s.cdb'"))
    expect(document.body.textContent).toContain('http://localhost/ants-dns-api/sys/dns/black/compiled?have=')
  })

  it('name the servers that take it, and which of them are behind', async () => {
    const server = (ip: string, current: boolean) => ({ ip, name: 'robot', time: '2026-11-20T10:00:00Z', current })
    show('/dns/black/config/?tab=setting', {}, { readers: [server('192.0.2.7', true), server('192.0.2.8', false)] })
    await screen.findByText('2 servers have fetched the list in the last seven days.')
    const [first, second] = [...document.querySelectorAll('.settings-list li')].map((li) => li.textContent)
    expect(first).toContain('192.0.2.7 robot')
    expect([first?.includes('Has the present list'), second?.includes('Has an earlier list')]).toEqual([true, true])
  })
})
