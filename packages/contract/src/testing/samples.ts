/** Right and wrong values of the general rules (specification, section 5) and the words of a refusal: one table for the tests of server and console. */

export interface Sample {
  right: readonly string[]
  wrong: readonly string[]
  zh: string
  en: string
}

const digits = (length: number) => '3800138000123456789012'.slice(0, length)

export const SAMPLES = {
  /** 4 to 32 characters, no Chinese. */
  password: {
    right: ['abcd', 'x'.repeat(32), 'with space', 'pässword', '1234', '\u00a0~!@#'],
    wrong: ['abc', 'x'.repeat(33), '密码密码', 'pass密word', '㐀abc', '豈abc'],
    zh: '密码为 4~32 位，不能包含中文',
    en: 'a password has 4 to 32 characters and no Chinese ones',
  },
  /** 4 to 32 of letters, digits and @ . _ -. */
  name: {
    right: ['abcd', 'A1@._-', 'x'.repeat(32), 'someone@mail.example'],
    wrong: ['abc', 'x'.repeat(33), 'two words', '名字名字', 'semi;colon', 'plus+sign', 'slash/name', 'tab\tname'],
    zh: '名称为 4~32 位字母、数字或 @ . _ -',
    en: 'a name has 4 to 32 letters, digits or @ . _ -',
  },
  /** 1 and 4 to 20 digits. */
  phone: {
    right: [`1${digits(4)}`, '13800138000', `1${digits(20)}`],
    wrong: [
      `1${digits(3)}`,
      `1${digits(21)}`,
      '23800138000',
      '+8613800138000',
      '1380013800x',
      '138 0013 8000',
      '１３８００１３８０００',
    ],
    zh: '手机号格式错误',
    en: 'is not a phone number',
  },
  email: {
    right: ['a@b.co', 'first.last+tag@mail.example', "o'neill@sub.mail.example"],
    wrong: [
      'nobody',
      'a@b',
      '@mail.example',
      'a@@mail.example',
      'a b@mail.example',
      'a@mail..example',
      'a@-mail.example',
      'a@mail.example\nx',
    ],
    zh: '邮箱格式错误',
    en: 'is not an e-mail address',
  },
  /** 18 characters of the second generation, the last one a checksum. */
  idCard: {
    right: ['11010519491231002X', '11010519491231002x', '440524188001010014'],
    wrong: [
      '110105194912310021',
      '11010519491331002X',
      '11010519490230002X',
      '110105491231002',
      '1101051949123100２X',
      'A1010519491231002X',
    ],
    zh: '身份证号格式错误',
    en: 'ID card number format error',
  },
  /** Begins with http, https or ftp. */
  url: {
    right: [
      'http://a.example',
      'https://a.example/b?c=1#d',
      'ftp://files.example/x.zip',
      'HTTPS://A.example',
      'http://192.0.2.1:8080/',
    ],
    wrong: [
      'a.example',
      '//a.example',
      'http:/a.example',
      'http://',
      'javascript:alert(1)',
      'file:///etc/x',
      'https ://a.example',
    ],
    zh: 'URL 必须以 http://、https:// 或 ftp:// 开头',
    en: 'a URL must begin with http://, https:// or ftp://',
  },
} as const satisfies Record<string, Sample>
export type Rule = keyof typeof SAMPLES
