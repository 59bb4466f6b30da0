/** What came back of a request: how it went, by what certificate, how long each part took, the headers and the beginning of the body. */
import type { ProbeAnswer } from '@tidegate/contract/node/lookups'
import { useUi } from '@tidegate/ui/context'
import { absolute, bytes, figureText, millis } from '@tidegate/ui/format'
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FactLines } from '../../../shared/Facts.tsx'
import { type Part, partsOf } from './parts.ts'

const WIDTH = 100
const HEIGHT = 8

const Times = ({ times }: { times: ProbeAnswer['times'] }) => {
  const { t } = useTranslation('lookup')
  const { lang } = useUi()
  const words: Record<Part, string> = {
    lookup: t('partLookup'),
    connect: t('partConnect'),
    tls: t('partTls'),
    wait: t('partWait'),
    body: t('partBody'),
  }
  const rows = partsOf(times)
  const scale = WIDTH / Math.max(times.total, 0.1)
  return (
    <>
      <svg
        className="lookup-times"
        role="img"
        aria-label={t('times')}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
      >
        <title>{t('times')}</title>
        {rows.map(({ part, begin, ms }) => (
          <rect key={part} className={`lookup-${part}`} x={begin * scale} y={0} width={ms * scale} height={HEIGHT} />
        ))}
      </svg>
      <ul className="lookup-parts">
        {rows.map(({ part, ms }) => (
          <li key={part}>
            <span className={`lookup-key lookup-${part}`} />
            {words[part]} <span className="tg-mono">{millis(ms, lang)}</span>
          </li>
        ))}
        <li className="tg-soft">{t('total', { time: millis(times.total, lang) })}</li>
      </ul>
    </>
  )
}

const toneOf = ({ fault, status }: ProbeAnswer): Tone => {
  if (fault !== null || status >= 500) return 'bad'
  return status >= 400 ? 'warn' : 'good'
}

const useFaultWords = (): Record<NonNullable<ProbeAnswer['fault']>, string> => {
  const { t } = useTranslation('lookup')
  return {
    unresolved: t('unresolved'),
    refused: t('refused'),
    reset: t('reset'),
    timeout: t('timeout'),
    unreachable: t('unreachable'),
    tls: t('tlsFault'),
    malformed: t('malformed'),
  }
}

const Certificate = ({ tls }: { tls: NonNullable<ProbeAnswer['tls']> }) => {
  const { t } = useTranslation('lookup')
  const { timeZone } = useUi()
  const good = tls.problem === ''
  const facts: [string, ReactNode][] = [
    [
      t('certificate'),
      <StatusDot key="state" tone={good ? 'good' : 'bad'}>
        {good ? t('certTrusted') : t('certProblem', { problem: tls.problem })}
      </StatusDot>,
    ],
    [t('names'), tls.names.join(', ') || tls.subject],
    [t('issuer'), tls.issuer],
    [t('valid'), `${absolute(tls.notBefore, timeZone)} – ${absolute(tls.notAfter, timeZone)}`],
    [t('protocol'), `${tls.protocol}, ${tls.cipher}`],
  ]
  return (
    <>
      <h3>{t('certificate')}</h3>
      <FactLines facts={facts} />
    </>
  )
}

const Headers = ({ headers }: { headers: ProbeAnswer['headers'] }) => {
  const { t } = useTranslation('lookup')
  if (headers.length === 0) return null
  return (
    <>
      <h3>{t('headers')}</h3>
      <div className="lookup-scroll">
        <table className="lookup-table lookup-headers">
          <tbody>
            {headers.map(([name, value], i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice, and the list never changes
              <tr key={i}>
                <th scope="row" className="tg-mono">
                  {name}
                </th>
                <td className="tg-mono lookup-data">{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

export const ProbeResult = ({ answer }: { answer: ProbeAnswer }) => {
  const { t } = useTranslation('lookup')
  const { lang } = useUi()
  const faults = useFaultWords()
  const { fault, status, reason, address, port, tls } = answer
  const size = figureText(bytes(answer.bytes, lang))
  return (
    <section className="tg-panel tg-panel-body lookup-answer" aria-live="polite" aria-label={t('answers')}>
      <p className="lookup-line">
        <StatusDot tone={toneOf(answer)}>{fault === null ? `${status} ${reason}`.trim() : faults[fault]}</StatusDot>
        {answer.code === '' ? null : <span className="tg-mono tg-faint">{answer.code}</span>}
        {address === '' ? null : (
          <span className="tg-soft">
            {t('address')} <span className="tg-mono">{address.includes(':') ? `[${address}]` : address}</span>
            <span className="tg-mono">:{port}</span>
          </span>
        )}
        {fault === null ? (
          <span className="tg-soft">
            {t('size')} {answer.cut ? t('sizeCut', { size }) : size}
          </span>
        ) : null}
      </p>
      <Times times={answer.times} />
      {tls === null ? null : <Certificate tls={tls} />}
      <Headers headers={answer.headers} />
      {answer.text === '' ? null : (
        <>
          <h3>{t('body')}</h3>
          <pre className="tools-whole">{answer.text}</pre>
        </>
      )}
    </section>
  )
}
