// @vitest-environment jsdom
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Alert, Button, Form, Input } from 'antd'
import { expect, it } from 'vitest'
import { useFormSave } from '../shared/useFormSave.ts'
import { inBrowser } from '../testing/browser.ts'
import { ThemeProvider } from './ThemeProvider.tsx'

inBrowser()

const Saving = ({ run }: { run: () => Promise<void> }) => {
  const [form] = Form.useForm<{ name: string }>()
  const { busy, failed, save } = useFormSave(form, run)
  return (
    <Form form={form} onFinish={save}>
      {failed === '' ? null : <Alert title={failed} />}
      <Form.Item name="name">
        <Input aria-label="Name" />
      </Form.Item>
      <Button htmlType="submit" loading={busy}>
        Save
      </Button>
    </Form>
  )
}

it('a button is called by its words alone, while it works and after it failed', async () => {
  let fail = (_: unknown) => {}
  const run = () => new Promise<void>((_, reject) => (fail = reject))
  render(
    <ThemeProvider>
      <Saving run={run} />
    </ThemeProvider>,
  )
  const button = () => screen.getByRole('button', { name: 'Save' })
  fireEvent.click(button())
  await waitFor(() => expect(button().className).toContain('ant-btn-loading'))
  expect(button().querySelector('.tg-turning')).toBeTruthy()
  expect(button().textContent).toBe('Save')
  fail(new Error('no space left'))
  await screen.findByText('no space left')
  await waitFor(() => expect(button().className).not.toContain('ant-btn-loading'))
  expect(button().querySelector('[aria-label], .tg-turning')).toBeNull()
})
