/** How often a screen reads anew, and a stop to it. */
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { REFRESH_INTERVALS, type RefreshEvery } from './dates.ts'
import { Icon } from './Icon.tsx'
import './texts.ts'

export interface Refresh {
  every: RefreshEvery
  paused: boolean
  setEvery: (every: RefreshEvery) => void
  setPaused: (paused: boolean) => void
  /** For the reader: milliseconds, false while paused. */
  interval: number | false
}

export const useRefresh = (first: RefreshEvery): Refresh => {
  const [every, setEvery] = useState(first)
  const [paused, setPaused] = useState(false)
  return { every, paused, setEvery, setPaused, interval: paused ? false : every }
}

export const RefreshInterval = ({ refresh }: { refresh: Refresh }) => {
  const { t } = useTranslation('ui')
  const { every, paused, setEvery, setPaused } = refresh
  const names: Record<RefreshEvery, string> = {
    5000: t('every5s'),
    60000: t('every1m'),
    300000: t('every5m'),
    3600000: t('every1h'),
    86400000: t('every1d'),
  }
  const name = paused ? t('resumeRefresh') : t('pauseRefresh')
  return (
    <span className="tg-row-tight">
      <Select<RefreshEvery>
        aria-label={t('refreshEvery')}
        className="tg-refresh"
        value={every}
        disabled={paused}
        popupMatchSelectWidth={false}
        onChange={setEvery}
        options={REFRESH_INTERVALS.map((value) => ({ value, label: names[value] }))}
      />
      <button
        type="button"
        className="tg-icon-button tg-icon-button-32"
        aria-label={name}
        title={name}
        onClick={() => setPaused(!paused)}
      >
        <Icon name={paused ? 'play' : 'pause'} />
      </button>
    </span>
  )
}
