import { describe, expect, it } from 'vitest'
import { browserOf, deviceOf } from './user-agent.ts'

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}`
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT}`
const PHONE = `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT}`
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

const AGENTS: readonly [name: string, userAgent: string][] = [
  ['Chrome · Windows', `${WINDOWS} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome · Linux', `${LINUX} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome · Linux', `${LINUX} HeadlessChrome/141.0.0.0 Safari/537.36`],
  ['Chrome · Linux', `${LINUX} Ubuntu Chromium/120.0.0.0 Safari/537.36`],
  ['Chrome · ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/141.0.0.0 Safari/537.36`],
  ['Chrome · Android', `${PHONE} Chrome/141.0.0.0 Mobile Safari/537.36`],
  ['Chrome · iOS', `${IPHONE} CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1`],
  ['Edge · Windows', `${WINDOWS} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`],
  ['Edge · Windows', `${WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`],
  ['Edge · Android', `${PHONE} Chrome/141.0.0.0 Mobile Safari/537.36 EdgA/141.0.0.0`],
  ['Edge · iOS', `${IPHONE} Version/17.0 EdgiOS/141.0.3537.60 Mobile/15E148 Safari/604.1`],
  ['Opera · Windows', `${WINDOWS} Chrome/139.0.0.0 Safari/537.36 OPR/123.0.0.0`],
  ['Opera · iOS', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1 OPT/5.1.1`],
  ['Vivaldi · Windows', `${WINDOWS} Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5.3735.54`],
  ['Yandex Browser · Windows', `${WINDOWS} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36`],
  ['Samsung Internet · Android', `${PHONE} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
  ['UC Browser · Android', `${PHONE} Version/4.0 Chrome/100.0.4896.58 UCBrowser/16.5.8.1305 Mobile Safari/537.36`],
  ['QQ Browser · Windows', `${WINDOWS} Chrome/123.0.6312.124 Safari/537.36 Core/1.116.583.400 QQBrowser/19.4.6551.400`],
  ['QQ Browser · Android', `${PHONE} Version/4.0 Chrome/121.0.6167.71 MQQBrowser/16.9 Mobile Safari/537.36`],
  [
    'WeChat · Android',
    `${PHONE} Version/4.0 Chrome/130.0.6723.103 XWEB/1300 Mobile Safari/537.36 MicroMessenger/8.0.60`,
  ],
  ['WeChat · iOS', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.60(0x18003c2a) NetType/WIFI Language/zh_CN`],
  ['Firefox · Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  ['Firefox · Android', 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  ['Firefox · iOS', `${IPHONE} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
  [
    'Safari · macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
  ],
  ['Safari · iOS', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['Internet Explorer · Windows', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
  [
    'Chrome · HarmonyOS',
    `Mozilla/5.0 (Phone; OpenHarmony 5.0) ${WEBKIT} Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile`,
  ],
  ['curl', 'curl/8.14.1'],
  ['Wget', 'Wget/1.21.4'],
]

describe('a user agent', () => {
  it.each(AGENTS)('is called %s', (name, userAgent) => {
    expect(deviceOf(userAgent)).toBe(name)
    expect(browserOf(userAgent)).toBe(name.split(' · ')[0])
  })

  it('that is not known is shown as it came, shortened', () => {
    expect([deviceOf('python-requests/2.32.3'), browserOf('python-requests/2.32.3')]).toEqual([
      'python-requests/2.32.3',
      undefined,
    ])
    expect(deviceOf('x'.repeat(500))).toHaveLength(60)
    expect(deviceOf('')).toBe('')
  })
})
