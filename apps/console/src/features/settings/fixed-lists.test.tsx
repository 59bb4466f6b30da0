// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
/** Lists of fixed length that the specification names, as the screens show them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { play } from '../../shared/order/sound.ts'
import { usePrefs } from '../../shared/prefs.ts'
import { ThemeDrawer } from '../../shell/theme/ThemeDrawer.tsx'
import '../../shell/texts.ts'
import { showPage } from '../../testing/page.tsx'
import { Page as MailPage } from './MailPage.tsx'
import { Page as SmsPage } from './SmsPage.tsx'
import { asOperator, control, row, show } from './testing.tsx'

asOperator()

const smsTemplates = async (): Promise<string[]> => {
  show(
    SmsPage,
    [26, 45, 46].map((id) => row(id, `sms_${id}`, null)),
  )
  await screen.findAllByRole('radio')
  return [...document.querySelectorAll('.settings-panel .field-group h2')].map((title) => title.textContent ?? '')
}

const smtpPresets = async (): Promise<string[]> => {
  show(MailPage, [row(20, 'mail_config', null)])
  fireEvent.mouseDown(await control('(SMTP server|SMTP 服务器)'))
  return waitFor(() => {
    const options = [...document.querySelectorAll('.ant-select-item-option')].map((one) => one.textContent ?? '')
    if (options.length === 0) throw new Error('closed')
    return options
  })
}

const Theme = (): ReactElement => <ThemeDrawer open onClose={() => {}} />
const themeColours = async (): Promise<string[]> => {
  showPage(Theme)
  const boxes = await waitFor(() => {
    const found = [...document.querySelectorAll<HTMLInputElement>('input[name=accent]')]
    if (found.length === 0) throw new Error('no colours')
    return found
  })
  const chosen: string[] = []
  for (const box of boxes) {
    fireEvent.click(box)
    chosen.push(usePrefs.getState().accent)
  }
  return chosen
}

/** What is played is a file of the console's own, and sounds. */
const sound = async (): Promise<string[]> => {
  const played: string[] = []
  vi.stubGlobal(
    'Audio',
    class {
      constructor(readonly src: string) {}
      play() {
        played.push(this.src.split('/').at(-1) ?? '')
        return Promise.resolve()
      }
    },
  )
  await play()
  const wav = readFileSync(join(import.meta.dirname, '../../shared/order', played[0] ?? ''))
  expect([wav.toString('latin1', 0, 4), wav.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WAVE'])
  expect(Math.max(...wav.subarray(44))).toBeGreaterThan(0)
  return played
}

const LISTS: [name: string, read: () => Promise<string[]>, en: string[], zh?: string[]][] = [
  [
    'SMS templates',
    smsTemplates,
    ['Verification code', 'Plan used up', 'Plan expires', 'Traffic package used up', 'Traffic package expires'],
    ['验证码', '套餐用尽', '套餐到期', '流量包用尽', '流量包到期'],
  ],
  [
    'SMTP presets',
    smtpPresets,
    [
      'Tencent Exmail (enterprise) · smtp.exmail.qq.com',
      'QQ Mail (personal) · smtp.qq.com',
      'Aliyun Mail (enterprise) · smtp.qiye.aliyun.com',
      'Aliyun Mail (personal) · smtp.aliyun.com',
      'Microsoft Office365 · smtp.office365.com',
      'Google Gmail · smtp.gmail.com',
    ],
    [
      '腾讯企业邮箱 · smtp.exmail.qq.com',
      'QQ 邮箱 · smtp.qq.com',
      '阿里企业邮箱 · smtp.qiye.aliyun.com',
      '阿里云邮箱 · smtp.aliyun.com',
      '微软 Office365 · smtp.office365.com',
      '谷歌 Gmail · smtp.gmail.com',
    ],
  ],
  ['theme colours', themeColours, ['blue', 'teal', 'green', 'violet', 'rust', 'rose', 'slate']],
  ['notification sounds', sound, ['ring.wav']],
]

describe('the fixed lists', () => {
  it.each(LISTS.flatMap((list) => (['en', 'zh'] as const).map((lang) => [list[0], lang, list] as const)))(
    'of %s are whole (%s) [S9.13]',
    async (_name, lang, [, read, en, zh = en]) => {
      chooseLang(lang)
      expect(await read()).toEqual(lang === 'en' ? en : zh)
    },
  )
})
