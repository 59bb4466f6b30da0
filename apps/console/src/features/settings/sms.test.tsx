// @vitest-environment jsdom
// @vitest-environment-options {"url":"http://localhost/admin/"}
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { TEMPLATE_KEYS } from '@tidegate/contract/config/notify'
import { SMS_CONFIGS } from '@tidegate/contract/config/sms'
import { describe, expect, it } from 'vitest'
import { chooseLang } from '../../shared/i18n.ts'
import { press } from '../../testing/page.tsx'
import { Page as SmsPage } from './SmsPage.tsx'
import { asOperator, control, row, SAVE, saidBy, show, type } from './testing.tsx'

asOperator()

const PROVIDERS = [
  ['tencent', 26, 'Tencent Cloud SMS', '腾讯云短信'],
  ['aliyun', 45, 'Aliyun SMS', '阿里云短信'],
  ['smsbao', 46, 'SMS Bao', '短信宝'],
] as const
const smsRows = (enabled: readonly number[]) =>
  PROVIDERS.map(([, id]) => row(id, `sms_${id}`, null, { status: enabled.includes(id) ? 1 : 0 }))

describe('the SMS screen', () => {
  it.each([
    [[], 'tencent'],
    [[26], 'tencent'],
    [[45], 'aliyun'],
    [[46], 'smsbao'],
    [[45, 46], 'aliyun'],
    [[26, 45, 46], 'tencent'],
  ] as const)(
    'chooses the enabled provider on load, Tencent before Aliyun before SMS Bao: %j -> %s [S2.21]',
    async (enabled, wanted) => {
      show(SmsPage, smsRows(enabled))
      const radios = await screen.findAllByRole<HTMLInputElement>('radio')
      expect(radios.map((r) => r.value)).toEqual(['tencent', 'aliyun', 'smsbao'])
      expect(radios.find((r) => r.checked)?.value).toBe(wanted)
      const sections = TEMPLATE_KEYS.map(
        (key) =>
          ({
            code: 'Verification code',
            meal_out: 'Plan used up',
            meal_expire: 'Plan expires',
            flow_out: 'Traffic package used up',
            flow_expire: 'Traffic package expires',
          })[key],
      )
      for (const name of sections) expect(screen.getByLabelText(name)).toBeTruthy()
    },
  )

  const CLOUD = [
    ['sdkappId', 'sdkAppId cannot be empty', 'sdkAppId 不能为空'],
    ['secretid', 'secretId cannot be empty', 'secretId 不能为空'],
    ['secretkey', 'secretKey cannot be empty', 'secretKey 不能为空'],
    ['signname', 'the signature cannot be empty', '签名不能为空'],
  ] as const
  const BAO = [
    ['api_addr', 'API ADDR cannot be empty', 'API ADDR 不能为空'],
    ['username', 'the username cannot be empty', '用户名不能为空'],
    ['api_key', 'API KEY cannot be empty', 'API KEY 不能为空'],
  ] as const
  it.each(PROVIDERS.flatMap(([kind, id]) => (['en', 'zh'] as const).map((lang) => [kind, id, lang] as const)))(
    'refuses %s without its fields, as the server does (%i, %s) [S5.4]',
    async (kind, id, lang) => {
      chooseLang(lang)
      const { saved } = show(SmsPage, smsRows([id]))
      await screen.findAllByRole('radio')
      if (kind === 'smsbao') fireEvent.change(await control('API ADDR'), { target: { value: '' } })
      await press(SAVE[lang])
      const wanted = (kind === 'smsbao' ? BAO : CLOUD).map(([path, en, zh]) => ({ path, msg: lang === 'en' ? en : zh }))
      for (const { msg } of wanted) await screen.findByText(msg)
      const fields = Object.fromEntries(wanted.map(({ path }) => [path, '']))
      expect(saidBy(SMS_CONFIGS[kind], { type: kind, ...fields }, lang)).toEqual(wanted)
      expect(saved()).toBeUndefined()
    },
  )

  it('saves SMS Bao with a content for each template [S3.19]', async () => {
    const { saved } = show(SmsPage, smsRows([46]))
    await type('Username', 'bao')
    await type('API KEY', 'key-1')
    const contents = await screen.findAllByLabelText('Content')
    expect(contents).toHaveLength(5)
    for (const [i, area] of contents.entries()) fireEvent.change(area, { target: { value: `text ${i}` } })
    await press(SAVE.en)
    await waitFor(() => expect(saved()).toMatchObject({ type: 'smsbao', username: 'bao', api_key: 'key-1' }))
    const templates = saved()?.templateIds as Record<string, { content: string }>
    expect(TEMPLATE_KEYS.map((key) => templates[key]?.content)).toEqual([
      'text 0',
      'text 1',
      'text 2',
      'text 3',
      'text 4',
    ])
  })
})
