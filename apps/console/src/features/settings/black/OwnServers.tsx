/** Where the list takes effect: servers that fetch it, and how one is made to. */
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { apiBase } from '../../../shared/api/base.ts'
import { download } from '../../../shared/api/call.ts'
import { Failed } from '../../../shared/Failed.tsx'
import { Field } from '../../../shared/Field.tsx'
import { saveFile } from '../../../shared/list/exports.ts'
import { useSay } from '../../../shared/useSay.tsx'
import { type BlackState, useBlackState, useRules } from './api.ts'

const POLL_MS = 15_000

const Readers = ({ readers }: { readers: BlackState['readers'] }) => {
  const { t } = useTranslation('black')
  if (readers.length === 0) return <p>{t('noServers')}</p>
  return (
    <>
      <p className="tg-soft">{t('someServers', { count: readers.length })}</p>
      <ul className="settings-list">
        {readers.map((one) => (
          <li key={`${one.ip} ${one.name}`}>
            <span>
              <span className="tg-mono">{one.ip}</span> <span className="tg-soft">{one.name}</span>
            </span>
            <span className="black-reader">
              <span className="tg-soft">
                {t('fetched')} <RelativeTime iso={one.time} />
              </span>
              <StatusDot tone={one.current ? 'good' : 'warn'}>{one.current ? t('current') : t('behind')}</StatusDot>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

const Code = ({ label, text, hint }: { label: string; text: string; hint: ReactNode }) => (
  <div className="black-code">
    <div className="black-code-head">
      <strong>{label}</strong>
      <CopyButton text={text} label={label} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to be able to scroll it */}
    <section tabIndex={0} aria-label={label} className="black-code-text">
      <pre className="tg-mono">{text}</pre>
    </section>
    <p className="field-hint">{hint}</p>
  </div>
)

/** One word of a shell. */
const shellWord = (text: string) => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const fetchScript = (file: string) =>
  [
    `list=${shellWord(file)}`,
    `curl -sf -H "token: $KEY" "${window.location.origin}${apiBase()}sys/dns/black/compiled?have=$(sha256sum < "$list" | cut -d' ' -f1)" -o "$list.new" && [ -s "$list.new" ] && mv "$list.new" "$list"`,
  ].join('\n')

const Recipe = () => {
  const { t } = useTranslation('black')
  const say = useSay()
  const [typed, setTyped] = useState<string | null>(null)
  const [file, setFile] = useState('')
  const rules = useRules(file)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveFile(await download('black.compiled', {}, { long: true }))
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="tg-panel settings-panel" aria-label={t('own')}>
      <header className="settings-head">
        <div>
          <h2>{t('own')}</h2>
          <span className="tg-faint tg-small">{t('ownSub')}</span>
        </div>
        <Button loading={busy} onClick={() => void save()}>
          {t('download')}
        </Button>
      </header>
      <Field label={t('path')}>
        {(control) => (
          <Input
            {...control}
            className="tg-mono"
            spellCheck={false}
            value={typed ?? rules.data?.file ?? ''}
            onChange={(e) => setTyped(e.target.value)}
            onBlur={() => setFile((typed ?? '').trim())}
            onPressEnter={() => setFile((typed ?? '').trim())}
          />
        )}
      </Field>
      {rules.error === null ? null : <Failed error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.data === undefined ? null : (
        <>
          <Code label={t('fetch')} text={fetchScript(rules.data.file)} hint={t('fetchHint')} />
          <Code label={t('rules')} text={rules.data.rules} hint={t('rulesHint')} />
        </>
      )}
    </section>
  )
}

export const OwnServers = () => {
  const { t } = useTranslation('black')
  const state = useBlackState(POLL_MS)
  return (
    <>
      <section className="tg-panel settings-panel" aria-label={t('servers')}>
        <header className="settings-head">
          <h2>{t('servers')}</h2>
        </header>
        {state.error === null ? null : <Failed error={state.error} onRetry={() => void state.refetch()} />}
        {state.data === undefined ? null : <Readers readers={state.data.readers} />}
      </section>
      <Recipe />
    </>
  )
}
