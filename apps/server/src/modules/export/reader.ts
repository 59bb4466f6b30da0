/** The words and times of a file in its reader's language and the installation's zone. */
import type { Lang } from '@tidegate/contract/enums'
import type { Reader } from '../../platform/exportable.ts'

const FLAGS = { true: { zh: '是', en: 'yes' }, false: { zh: '否', en: 'no' } }

export const readerOf = (lang: Lang, timeZone: string): Reader => {
  // Swedish writes times as ISO does.
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone })
  return {
    time: (iso) => (iso === '' ? '' : format.format(new Date(iso))),
    say: (words) => words[lang],
    flag: (on) => FLAGS[on ? 'true' : 'false'][lang],
  }
}
