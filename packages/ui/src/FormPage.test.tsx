// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Activity, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { FormPage } from './FormPage.tsx'
import { PageModal } from './PageModal.tsx'
import { TypedConfirm } from './TypedConfirm.tsx'
import { inBrowser, show } from './testing/show.tsx'

inBrowser()

const Form = ({
  onSave = async () => {},
  onDiscard = () => {},
}: {
  onSave?: () => Promise<void>
  onDiscard?: () => void
}) => {
  const [active, setActive] = useState('one')
  const [wrong, setWrong] = useState(false)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await onSave()
    setWrong(true)
    setBusy(false)
  }
  return (
    <FormPage
      active={active}
      onTab={setActive}
      busy={busy}
      onSave={save}
      onDiscard={onDiscard}
      tabs={[
        { key: 'one', label: 'One', dirty: 2, wrong: 0, children: <input aria-label="First" /> },
        {
          key: 'two',
          label: 'Two',
          dirty: 1,
          wrong: wrong ? 2 : 0,
          children: (
            <>
              <input aria-label="Right" />
              <input aria-label="Second" aria-invalid={wrong} />
              <input aria-label="Third" aria-invalid={wrong} />
            </>
          ),
        },
        { key: 'log', label: 'Log', children: 'nothing to save' },
      ]}
    />
  )
}

describe('a form in tabs', () => {
  it('counts what is changed, per tab and in all', () => {
    const onDiscard = vi.fn()
    show(<Form onDiscard={onDiscard} />)
    expect(screen.getByRole('region', { name: 'Unsaved changes: 3' })).toBeTruthy()
    expect(screen.getByRole('img', { name: 'Changed here: 2' })).toBeTruthy()
    expect(screen.getByRole('tab', { name: 'Log' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(onDiscard).toHaveBeenCalledOnce()
  })
  it('leads to the first wrong field of another tab after a save, and on from one to the next', async () => {
    show(<Form />)
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Second'))
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Two2')
    expect(screen.getByTitle('To correct here: 2')).toBeTruthy()
    const on = screen.getByRole('button', { name: 'To correct: 2' })
    fireEvent.click(on)
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Third'))
    fireEvent.click(on)
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Second'))
  })
  it('shows that it is saving', async () => {
    let done = () => {}
    show(
      <Form
        onSave={() =>
          new Promise((resolve) => {
            done = resolve
          })
        }
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(document.querySelector('.tg-save-bar .ant-btn-loading')).toBeTruthy())
    done()
    await waitFor(() => expect(document.querySelector('.tg-save-bar .ant-btn-loading')).toBeNull())
  })
})

describe('a dialog', () => {
  it('shows that what it was asked for is under way, and takes no second press [S4.12]', async () => {
    let fail = () => {}
    const onOk = vi.fn(
      () =>
        new Promise((_resolve, reject) => {
          fail = () => reject(new Error('no'))
        }),
    )
    show(
      <TypedConfirm open title="Delete" word="x" okText="Delete" onOk={onOk} onCancel={() => {}}>
        Really?
      </TypedConfirm>,
    )
    const field = await screen.findByRole('textbox')
    fireEvent.change(field, { target: { value: 'x' } })
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(document.querySelector('.ant-modal .ant-btn-loading')).toBeTruthy())
    fireEvent.keyDown(field, { key: 'Enter' })
    expect(onOk).toHaveBeenCalledOnce()
    fail()
    await waitFor(() => expect(document.querySelector('.ant-modal .ant-btn-loading')).toBeNull())
    expect(screen.getByRole('dialog', { name: 'Delete' })).toBeTruthy()
  })
  it('has a bar of its own while it saves', async () => {
    show(
      <PageModal open title="Roll back" confirmLoading>
        text
      </PageModal>,
    )
    await screen.findByRole('dialog', { name: 'Roll back' })
    expect(document.querySelector('.ant-modal .ant-btn-loading')).toBeTruthy()
  })
})

const Typing = () => {
  const [text, setText] = useState('')
  return <input aria-label="Why" value={text} onChange={(event) => setText(event.target.value)} />
}
const Kept = () => {
  const [mode, setMode] = useState<'visible' | 'hidden'>('visible')
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setMode(mode === 'visible' ? 'hidden' : 'visible')}>
        other page
      </button>
      <button type="button" onClick={() => setOpen(!open)}>
        dialog
      </button>
      <Activity mode={mode}>
        {/* Without motions, whose end jsdom does not tell. */}
        <PageModal open={open} title="Lock" transitionName="" maskTransitionName="">
          <Typing />
        </PageModal>
      </Activity>
    </>
  )
}

describe('a dialog of a page that is kept', () => {
  const field = () => document.querySelector<HTMLInputElement>('.ant-modal-body input')
  const press = (name: string) => fireEvent.click(screen.getByText(name))

  it('leaves the screen with its page and comes back as it was left, with what was typed', async () => {
    show(<Kept />)
    await waitFor(() => expect(field()).not.toBeNull())
    fireEvent.change(field() as HTMLInputElement, { target: { value: 'because' } })
    for (let round = 0; round < 2; round++) {
      press('other page')
      await waitFor(() => expect(document.querySelector('.ant-modal')).toBeNull())
      press('other page')
      await waitFor(() => expect(field()?.value).toBe('because'))
    }
    fireEvent.change(field() as HTMLInputElement, { target: { value: 'because of it' } })
    expect(field()?.value).toBe('because of it')
  })

  it('begins empty after it was closed, also when its page was hidden meanwhile', async () => {
    show(<Kept />)
    await waitFor(() => expect(field()).not.toBeNull())
    for (const hidden of [false, true]) {
      fireEvent.change(field() as HTMLInputElement, { target: { value: 'old' } })
      if (hidden) press('other page')
      press('dialog')
      await waitFor(() => expect(field()).toBeNull())
      if (hidden) press('other page')
      press('dialog')
      await waitFor(() => expect(field()?.value).toBe(''))
    }
  })
})
