// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { useEffect } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../testing/browser.ts'
import { Confirm } from './Confirm.tsx'
import { chooseLang } from './i18n.ts'
import { FAILURES, type Failure, ipRange, type Question, SUCCESSES, type Success } from './messages.ts'
import { type Say, useSay } from './useSay.tsx'

inBrowser()
vi.setConfig({ testTimeout: 60_000 })

const LANGS = ['en', 'zh'] as const
type Texts = readonly [en: string, zh: string]
/** Specification, section 8. */
const DONE: Record<Success, Texts> = {
  saved: ['Configuration saved successfully', '配置保存成功'],
  done: ['Operation successful', '操作成功'],
  deleted: ['Deleted successfully', '删除成功'],
  added: ['Added successfully', '新增成功'],
  edited: ['Edited successfully', '编辑成功'],
  copied: ['Copied successfully', '复制成功'],
  passwordChanged: ['Password changed, please log in again', '密码修改成功，请重新登录'],
}
const NOT_DONE: Record<Failure, Texts> = {
  copyEmpty: ['Copy failed: the content is empty', '复制失败，内容为空'],
  copyUnsupported: ['Copy failed: this browser does not support it', '复制失败，当前浏览器不支持'],
  fullScreenUnsupported: ['This browser does not support full screen', '当前浏览器不支持全屏'],
  passwordWrong: [
    'The password could not be changed, confirm that the original password is correct',
    '密码修改失败，请确认原密码是否正确',
  ],
  passwordFailed: ['The password could not be changed', '密码修改失败'],
  nothingChosen: ['Select what to delete', '请选择要删除的内容'],
}

const Sayer = ({ onSay }: { onSay: (say: Say) => void }) => {
  const say = useSay()
  useEffect(() => onSay(say), [say, onSay])
  return null
}
const saying = (run: (say: Say) => void) => {
  render(
    <App>
      <Sayer onSay={run} />
    </App>,
  )
}
const notice = async (text: string, kind: string) => {
  const found = await screen.findByText(text)
  expect(found.closest('.ant-message-notice-wrapper, .ant-message-notice')?.innerHTML).toContain(kind)
}

describe('what is said at an operation’s end', () => {
  it.each(LANGS.flatMap((lang, i) => SUCCESSES.map((key) => [lang, key, DONE[key][i] ?? ''] as const)))(
    '%s: %s [S8.7]',
    async (lang, key, text) => {
      chooseLang(lang)
      saying((say) => say.ok(key))
      await notice(text, 'success')
    },
  )
  it.each(LANGS.flatMap((lang, i) => FAILURES.map((key) => [lang, key, NOT_DONE[key][i] ?? ''] as const)))(
    '%s: %s [S8.8]',
    async (lang, key, text) => {
      chooseLang(lang)
      saying((say) => say.not(key))
      await notice(text, 'error')
    },
  )
})

const range =
  (count: number, forever = false): (() => Question) =>
  () => ({ ask: 'delete', what: ipRange(), count, forever })
const ASKED: readonly [ask: () => Question, en: string[], zh: string[]][] = [
  [
    () => ({ ask: 'closeRecursion' }),
    ['This operation will close the recursion function, continue?'],
    ['此操作将关闭递归功能，是否继续？'],
  ],
  [
    () => ({ ask: 'closeForwarding' }),
    ['This operation will close the forwarding function, continue?'],
    ['此操作将关闭转发功能，是否继续？'],
  ],
  [range(1), ['Delete this IP range?'], ['确定删除该IP 段吗？']],
  [range(3), ['Delete the 3 chosen (IP range)?'], ['确定删除所选的 3 项IP 段吗？']],
  [
    range(3, true),
    ['Delete the 3 chosen (IP range)?', 'This operation deletes permanently and cannot be undone.'],
    ['确定删除所选的 3 项IP 段吗？', '此操作将永久删除，无法恢复。'],
  ],
]

describe('what is asked before an operation', () => {
  it.each(LANGS.flatMap((lang, i) => ASKED.map(([ask, ...lines]) => [lang, lines[i] ?? [], ask] as const)))(
    '%s: %j; saying no does nothing and says that it was cancelled [S8.9]',
    async (lang, lines, ask) => {
      chooseLang(lang)
      const onOk = vi.fn()
      const onClose = vi.fn()
      render(
        <App>
          <Confirm title="title" question={ask()} okText="go on" onOk={onOk} onClose={onClose} />
        </App>,
      )
      const dialog = await screen.findByRole('dialog')
      expect([...dialog.querySelectorAll('.ant-modal-body p')].map((p) => p.textContent)).toEqual(lines)
      const cancel = [...dialog.querySelectorAll('.ant-modal-footer button')][0]
      if (cancel === undefined) throw new Error('no way to cancel')
      fireEvent.click(cancel)
      expect(await screen.findByText(lang === 'en' ? 'Operation cancelled' : '操作已取消')).toBeTruthy()
      expect(onOk).not.toHaveBeenCalled()
      await waitFor(() => expect(onClose).toHaveBeenCalledWith(false))
    },
  )
})
