// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { configure, fireEvent, screen, waitFor } from '@testing-library/react'
import type { BackupRow, BackupState } from '@tidegate/contract/operations/backup'
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
  ...{ run: null, restore: null, restoring: false, ready: true, target: 'disk', next: '', mayRestore: true },
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
    })
  })

  it('waits for the restore and says that the login has ended, or why nothing was restored', async () => {
    let asked = false
    const failed = {
      ...{ ok: false, time: new Date(Date.now() + 60_000).toISOString(), by: 'admin', name: ROW.name, created: '' },
      ...{ version: '', rows: 0, files: 0, safety: '', error: 'Another process went on running' },
    }
    show({}, [ROW], {
      'backup.state': () => ({ data: { ...STATE, restore: asked ? failed : null } }),
      'backup.prove': () => ({ proof: 'proof-2' }),
      'backup.restore': () => {
        asked = true
        return { created: ROW.time, version: '0.1.0', rows: 1, files: 0 }
      },
    })
    await screen.findByText(ROW.name)
    await press('Restore')
    await screen.findByLabelText('Passphrase of this backup')
    fill('Passphrase of this backup', 'the right one')
    fill('Your password', 'Secret-1')
    fireEvent.change(screen.getByLabelText(/Type to confirm/), { target: { value: 'restore' } })
    await waitFor(() =>
      expect(buttons(dialog() ?? document).findLast((b) => b.textContent === 'Restore')?.disabled).toBe(false),
    )
    fireEvent.click(buttons(dialog() ?? document).findLast((b) => b.textContent === 'Restore') as HTMLButtonElement)
    await screen.findByText('Not restored; nothing was changed')
    expect(screen.getAllByText('Another process went on running').length).toBeGreaterThan(0)
  })

  it.each([
    ['is still checked and then restored', { ok: true, error: '' }, 'Restored'],
    ['is still checked and then refused', null, /answer was lost on the way/],
  ] as const)('watches the state when a proxy gave up on the answer and the backup %s', async (_what, end, said) => {
    let asked = false
    let looks = 0
    const ended = {
      ...{ time: new Date(Date.now() + 60_000).toISOString(), by: 'admin', name: ROW.name, created: ROW.time },
      ...{ version: '', rows: 0, files: 0, safety: '' },
    }
    show({}, [ROW], {
      'backup.state': () => {
        if (asked) looks++
        const over = looks > 1
        return { data: { ...STATE, restoring: asked && !over, restore: over && end ? { ...ended, ...end } : null } }
      },
      'backup.prove': () => ({ proof: 'proof-3' }),
      'backup.restore': () => {
        asked = true
        return new Response('<h1>504 Gateway Time-out</h1>', { status: 504 })
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
    await screen.findByText(/restarts and restores the backup/)
    await screen.findAllByText(said)
  })

  it('does not offer to restore what this release cannot', async () => {
    show({}, [{ ...ROW, fault: 'The backup is cut off or damaged' }])
    await screen.findByText('The backup is cut off or damaged')
    expect(buttons().find((b) => b.textContent === 'Restore')?.disabled).toBe(true)
  })
})
