/** antd and packages/ui in the person's theme and language, with the page's nonce. */
import type { Lang } from '@tidegate/contract/enums'
import { antdTheme } from '@tidegate/ui/antd-theme'
import { UiContext } from '@tidegate/ui/context'
import { App, ConfigProvider } from 'antd'
import enUS from 'antd/locale/en_US'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useMedia } from '@tidegate/ui/useMedia'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { modeOf, usePrefs } from '../shared/prefs.ts'
import { useSite } from '../shared/site-config.ts'
import { useTables } from '../shared/table-prefs.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? ''
const ZONE = 'Asia/Shanghai'

export const ThemeProvider = ({ children }: { children: ReactNode }) => {
  const { i18n } = useTranslation()
  const { theme, accent, table, set } = usePrefs()
  const { columns, setColumns } = useTables()
  const mode = modeOf(theme, useMedia('(prefers-color-scheme: dark)'))
  const calm = useMedia('(prefers-reduced-motion: reduce)')
  const timeZone = useSite((s) => s.index?.timeZone) ?? ZONE
  const lang: Lang = i18n.language === 'en' ? 'en' : 'zh'
  useEffect(() => {
    dayjs.locale(lang === 'zh' ? 'zh-cn' : 'en')
  }, [lang])
  const ui = useMemo(
    () => ({
      lang,
      timeZone,
      mode,
      accent,
      table,
      setTable: (next: typeof table) => set({ table: next }),
      columns,
      setColumns,
    }),
    [lang, timeZone, mode, accent, table, set, columns, setColumns],
  )
  return (
    <ConfigProvider
      csp={{ nonce }}
      theme={antdTheme(mode, accent, calm)}
      locale={lang === 'zh' ? zhCN : enUS}
      // antd's own says "loading" in the button's name, and stays there after a failure until its animation ends.
      button={{ autoInsertSpace: false, loadingIcon: <span className="tg-turning" aria-hidden="true" /> }}
      form={{ requiredMark: true, scrollToFirstError: true }}
    >
      <UiContext value={ui}>
        <App component={false}>{children}</App>
      </UiContext>
    </ConfigProvider>
  )
}
