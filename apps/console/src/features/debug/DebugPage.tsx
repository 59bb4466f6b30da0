/** Diagnostics without a login: whether the API answers, versions, base paths, and this browser's debug mode. Shows no secret and grants nothing. */
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import packageInfo from '../../../package.json'
import { apiBase } from '../../shared/api/base.ts'
import { here } from '../../shared/console.ts'
import { useDebug } from '../../shared/debug.ts'
import { FactLines } from '../../shared/Facts.tsx'
import { LangSwitch } from '../../shared/LangSwitch.tsx'
import { usePrefs } from '../../shared/prefs.ts'
import { pageTitle, useSite } from '../../shared/site-config.ts'
import { token } from '../../shared/token.ts'
import { type Probe, useProbes } from './probe.ts'
import './debug.css'
import './texts.ts'

/** A clock that is off by less is the answer's own way. */
const SKEW_SHOWN_MS = 2_000

const ProbeRow = ({ probe, used }: { probe: Probe; used: boolean }) => {
  const { t } = useTranslation('debug')
  const { base, state, status, ms, version } = probe
  const word = { asking: t('asking'), reached: t('reached'), failed: t('notReached') }[state]
  const tone = ({ asking: 'busy', reached: 'good', failed: 'bad' } as const)[state]
  return (
    <tr>
      <th scope="row">
        <code className="tg-mono">{base}</code>
        {used ? <span className="debug-used">{t('used')}</span> : null}
      </th>
      <td>
        <StatusDot tone={tone}>{word}</StatusDot>
        {status === 0 ? null : <span className="tg-faint debug-status">HTTP {status}</span>}
      </td>
      <td className="debug-number">{state === 'asking' ? '' : t('milliseconds', { ms })}</td>
      <td>{version}</td>
    </tr>
  )
}

const Reach = ({ probes, again }: { probes: Probe[]; again: () => void }) => {
  const { t } = useTranslation('debug')
  return (
    <section className="tg-panel debug-panel" aria-labelledby="debug-reach">
      <div className="tg-panel-head">
        <h2 id="debug-reach">{t('reach')}</h2>
        <button type="button" className="tg-link-button" onClick={again}>
          {t('again')}
        </button>
      </div>
      <div className="debug-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('base')}</th>
              <th scope="col">{t('answer')}</th>
              <th scope="col" className="debug-number">
                {t('time')}
              </th>
              <th scope="col">{t('serverVersion')}</th>
            </tr>
          </thead>
          <tbody>
            {probes.map((probe) => (
              <ProbeRow key={probe.base} probe={probe} used={probe.base === apiBase()} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const useFacts = (probes: Probe[]): [string, string][] => {
  const { t } = useTranslation('debug')
  const web = useSite((s) => s.web)
  const chosen = usePrefs((s) => s.lang)
  const answered = probes.find((probe) => probe.state === 'reached')
  const yes = (value: boolean | null | undefined) =>
    value === null || value === undefined ? t('unknown') : value ? t('yes') : t('no')
  const langs = { zh: t('chinese'), en: t('english') }
  const { version } = packageInfo
  const server = answered?.version ?? version
  const skew = answered?.skew ?? null
  return [
    [t('console'), here.id],
    [t('address'), here.path],
    [t('baseUsed'), apiBase()],
    [t('resetApi'), yes(answered?.resetApi)],
    [t('consoleVersion'), server === version ? version : t('versionDiffers', { version, server })],
    [t('siteLang'), web.lang === null ? t('unknown') : langs[web.lang]],
    [t('ownLang'), chosen === null ? t('none') : langs[chosen]],
    [t('session'), yes(token() !== null)],
    [t('online'), yes(navigator.onLine)],
    [t('clock'), skew === null ? t('unknown') : t('milliseconds', { ms: Math.abs(skew) < SKEW_SHOWN_MS ? 0 : skew })],
    [t('browser'), navigator.userAgent],
  ]
}

const Switch = () => {
  const { t } = useTranslation('debug')
  const { on, set } = useDebug()
  return (
    <section className="tg-panel debug-panel" aria-labelledby="debug-mode">
      <div className="tg-panel-head">
        <h2 id="debug-mode">{t('debug')}</h2>
        <StatusDot tone={on ? 'warn' : 'idle'}>{on ? t('isOn') : t('isOff')}</StatusDot>
      </div>
      <p className="tg-soft">{t('debugText')}</p>
      <button type="button" className="debug-button" aria-pressed={on} onClick={() => set({ on: !on })}>
        {on ? t('turnOff') : t('turnOn')}
      </button>
    </section>
  )
}

export const Page = () => {
  const { t } = useTranslation('debug')
  const web = useSite((s) => s.web)
  const { on, base } = useDebug()
  const { probes, again } = useProbes(on ? base : '')
  const facts = useFacts(probes)
  const title = t('title')
  useEffect(() => {
    document.title = pageTitle(title, web)
  }, [title, web])
  return (
    <main className="debug">
      <header>
        <div>
          <h1>{title}</h1>
          <p className="tg-soft">{t('sub')}</p>
        </div>
        <div className="tg-row">
          <LangSwitch />
          <Link to="/login">{t('toLogin')}</Link>
        </div>
      </header>
      <Reach probes={probes} again={again} />
      <section className="tg-panel debug-panel" aria-labelledby="debug-page">
        <div className="tg-panel-head">
          <h2 id="debug-page">{t('environment')}</h2>
        </div>
        <FactLines facts={facts} />
      </section>
      <Switch />
    </main>
  )
}
