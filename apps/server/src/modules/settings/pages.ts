/** What anybody may read of an installation. */
import type { Handlers } from '../../platform/caller.ts'
import { RELEASES } from './release-notes.ts'
import type { SettingStore } from './store.ts'

export const pageHandlers = (store: SettingStore): Handlers<'web.config' | 'web.agent' | 'web.updateLog'> => ({
  'web.config': async () => ({ data: await store.get('web') }),
  'web.agent': async (_input, { lang }) => {
    const texts = await store.get('agreement')
    const [own, other] = lang === 'zh' ? [texts.zh, texts.en] : [texts.en, texts.zh]
    return { data: own.content === '' ? other : own }
  },
  'web.updateLog': async ({ page, limit }, { lang }) => ({
    data: {
      list: RELEASES.slice((page - 1) * limit, page * limit).map(({ version, date, notes }) => ({
        version,
        date,
        notes: [...notes[lang]],
      })),
      totalCount: RELEASES.length,
    },
  }),
})
