// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { BackupRow, BackupState, ImportOutcome } from '@tidegate/contract/operations/backup'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { useSession } from '../../shell/session.ts'
import { inBrowser } from '../../testing/browser.ts'
import { EMPTY_LIST, USER } from '../../testing/fixtures.ts'
import { buttons, press, showPage, words } from '../../testing/page.tsx'
import { peer, Refusal } from '../../testing/peer.ts'
import { Page } from './BackupPage.tsx'

inBrowser()
configure({ asyncUtilTimeout: 15_000 })
vi.setConfig({ testTimeout: 60_000 })
beforeEach(() => useSession.setState({ user: USER.user }))

const STATE: BackupState = {
  ...{
    run: null,
    restore: null,
    asked: null,
    restoring: false,
    ready: true,
    target: 'disk',
    next: '',
    mayRestore: true,
  },
}
const ROW: BackupRow = {
  ...{ name: 'manual-20261121-120000.backup', place: 'disk', kind: 'hand', bytes: 2048 },
  ...{ time: '2026-11-21T12:00:00.000Z', version: '0.1.0', by: 'admin', fault: '' },
}
type Answers = Parameters<typeof peer>[0]

const show = (state: Partial<BackupState>, rows: BackupRow[], more: Answers = {}) => {
  const { seen } = peer({
    'backup.state': () => ({ data: { ...STATE, ...state } }),
    'backup.list': () => ({ data: { ...EMPTY_LIST.data, list: rows, totalCount: rows.length } }),
    ...more,
  })
  showPage(Page)
  return { seen, of: (id: string) => seen.filter((one) => one.id === id).map(({ input }) => input) }
}
const dialog = () => document.querySelector('[role="dialog"]')
const fill = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })

describe('the screen of backups', () => {
  it.each([
    ['en', 'No passphrase is set', 'Back up now'],
    ['zh', '尚未设置备份口令', '立即备份'],
  ] as const)('in %s asks for a passphrase before anything can be made', async (lang, unset, make) => {
    await chooseLang(lang)
    show({ ready: false }, [])
    await screen.findByText(unset)
    expect(buttons().find((b) => words(document).indexOf(make) >= 0 && b.textContent?.includes(make))?.disabled).toBe(
      true,
    )
  })

  it('says how the last backup and the last restore ended', async () => {
    const restore = {
      ...{ ok: false, time: '2026-11-21T12:00:00.000Z', by: 'chief', name: 'x', created: '', version: '', rows: 0 },
      ...{ files: 0, safety: 'before-restore-20261121-115959.backup', error: 'Another process went on running' },
    }
    const run: BackupState['run'] = {
      ...({ id: 1, kind: 'hand', state: 'failed', place: 's3', bytes: 0, name: '', by: 'admin' } as const),
      ...{ startTime: '2026-11-21T12:00:00.000Z', finishTime: '', error: 'The storage cannot be used: NoSuchBucket' },
    }
    show({ restore, run, target: 's3' }, [])
    await screen.findByText(/NoSuchBucket/)
    screen.getByText(/Another process went on running/)
    screen.getByText('before-restore-20261121-115959.backup')
  })

  it('shows who may not restore the list and nothing to take along', async () => {
    show({ mayRestore: false }, [ROW])
    await screen.findByText(ROW.name)
    expect(words(document).filter((word) => /Export|Import|Restore|Download|Settings/.test(word))).toEqual([])
  })

  it('restores only after the word, the passphrase, the password and the second factor; a wrong passphrase is said at its field', async () => {
    let tries = 0
    const { of } = show({}, [ROW], {
      'backup.prove': ({ code }) =>
        code === '123456'
          ? { proof: 'proof-1' }
          : new Refusal(401, {
              ...{ error: 'second_factor_required', msg: 'second', methods: ['totp'], ticket: 't' },
            }),
      'backup.restore': () => {
        tries++
        return tries === 1
          ? new Refusal(400, {
              error: 'invalid_input',
              msg: 'input',
              errors: [{ path: 'passphrase', msg: 'is not the passphrase of this backup' }],
            })
          : { created: ROW.time, version: '0.1.0', rows: 1, files: 0 }
      },
    })
    await screen.findByText(ROW.name)
    await press('Restore')
    await screen.findByLabelText('Passphrase of this backup')
    const ok = () => buttons(dialog() ?? document).findLast((b) => b.textContent === 'Restore')
    fill('Passphrase of this backup', 'wrong at first')
    fill('Your password', 'Secret-1')
    expect(ok()?.disabled).toBe(true)
    fireEvent.change(screen.getByLabelText(/Type to confirm/), { target: { value: 'restore' } })
    await waitFor(() => expect(ok()?.disabled).toBe(false))
    fireEvent.click(ok() as HTMLButtonElement)
    await screen.findByLabelText('Second factor')
    expect(of('backup.restore')).toEqual([])
    fill('Second factor', '123456')
    fireEvent.click(ok() as HTMLButtonElement)
    await screen.findByText('is not the passphrase of this backup')
    fill('Passphrase of this backup', 'the right one')
    fireEvent.click(ok() as HTMLButtonElement)
    await screen.findByText(/restarts and restores the backup/)
    // The proof was not used up by the refusal: the code is not asked for twice.
    expect(of('backup.prove')).toHaveLength(2)
    expect(of('backup.restore').at(-1)).toEqual({
      ...{ proof: 'proof-1', passphrase: 'the right one', name: ROW.name, place: 'disk' },
      request: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  /** Asks for a restore and waits for what the page says of it; the last outcome stays. */
  const restoring = async (outcomes: (Partial<ImportOutcome> | null)[], answer: Response | object) => {
    const left = [...outcomes]
    const { of } = show({}, [ROW], {
      'backup.prove': () => ({ proof: 'proof-2' }),
      'backup.restore': () => answer as Response,
      'backup.outcome': ({ request }) => {
        const next = left.length > 1 ? left.shift() : left[0]
        if (!next) return new Refusal(404, { error: 'not_found', msg: 'not found' })
        const about = { request: String(request), time: ROW.time, by: 'admin', name: ROW.name, field: '', error: '' }
        return { data: { ...about, state: 'checking', ...next } }
      },
    })
    await screen.findByText(ROW.name)
    await press('Restore')
    await screen.findByLabelText('Passphrase of this backup')
    fill('Passphrase of this backup', 'the right one')
    fill('Your password', 'Secret-1')
    fireEvent.change(screen.getByLabelText(/Type to confirm/), { target: { value: 'restore' } })
    const ok = () => buttons(dialog() ?? document).findLast((b) => b.textContent === 'Restore')
    await waitFor(() => expect(ok()?.disabled).toBe(false))
    fireEvent.click(ok() as HTMLButtonElement)
    return { of }
  }
  const cut = () => new Response('<h1>504 Gateway Time-out</h1>', { status: 504 })
  const TAKEN = { created: ROW.time, version: '0.1.0', rows: 1, files: 0 }

  it.each([
    ['a backup that is restored', [{ state: 'restoring' }, { state: 'done' }], TAKEN, 'Restored'],
    [
      'a restore that failed',
      [{ state: 'restoring' }, { state: 'failed', error: 'Another process went on running' }],
      TAKEN,
      'Another process went on running',
    ],
    ['a cut answer, checked and restored', [{}, { state: 'restoring' }, { state: 'done' }], cut, 'Restored'],
    [
      'a cut answer, refused at its field',
      [{}, { state: 'refused', field: 'passphrase', error: 'is not the passphrase of this backup' }],
      cut,
      'Passphrase of this backup: is not the passphrase of this backup',
    ],
    [
      'a cut answer, refused as a whole',
      [{ state: 'refused', error: 'The connection was cut before the whole backup had come' }],
      cut,
      'The connection was cut before the whole backup had come',
    ],
    ['a cut answer to what never came', [null], cut, /never reached the server/],
  ] as const)('says by its name what became of %s', async (_what, outcomes, answer, said) => {
    await chooseLang('en')
    const { of } = await restoring([...outcomes], typeof answer === 'function' ? answer() : answer)
    await screen.findAllByText(said)
    const [asked] = of('backup.restore')
    expect(of('backup.outcome')[0]).toEqual({ request: asked?.request })
  })

  it('says in Chinese at which field a backup was refused, also on the page itself', async () => {
    await chooseLang('zh')
    const refused = { state: 'refused' as const, field: 'file', error: '备份文件不完整或已损坏', by: 'chief' }
    const about = { request: '0'.repeat(32), time: ROW.time, name: ROW.name }
    show({ asked: { ...about, ...refused } }, [ROW])
    await screen.findByText(/备份文件：备份文件不完整或已损坏/)
    screen.getByText('未通过校验，数据未改变')
    await chooseLang('en')
  })

  it('does not offer to restore what this release cannot', async () => {
    show({}, [{ ...ROW, fault: 'The backup is cut off or damaged' }])
    await screen.findByText('The backup is cut off or damaged')
    expect(buttons().find((b) => b.textContent === 'Restore')?.disabled).toBe(true)
  })
})
