/** How long an entry stays in memory. */
import { useTranslation } from 'react-i18next'
import './texts.ts'

/** Seconds in the largest two units, exact enough for reading. */
const parts = (seconds: number): { d: number; h: number; m: number; s: number } => ({
  d: Math.floor(seconds / 86_400),
  h: Math.floor((seconds % 86_400) / 3_600),
  m: Math.floor((seconds % 3_600) / 60),
  s: Math.ceil(seconds % 60),
})

/** 0: it stays until it is removed. */
export const Lifetime = ({ seconds }: { seconds: number }) => {
  const { t } = useTranslation('tools')
  if (seconds <= 0) return <span className="tg-faint">{t('forever')}</span>
  const { d, h, m, s } = parts(seconds)
  if (d > 0) return t('days', { d, h })
  if (h > 0) return t('hours', { h, m })
  return m > 0 ? t('minutes', { m, s }) : t('seconds', { s })
}
