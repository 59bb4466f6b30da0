/** One entry of the log: who, what, from where, and the difference that it made. */
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Checkbox, Descriptions, Drawer } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useActionWords } from '../../shared/actions/words.ts'
import { Failed } from '../../shared/Failed.tsx'
import { type Kind, useEntry } from './api.ts'
import { type Change, changesOf } from './diff.ts'

const Value = ({ text, mark }: { text: string | undefined; mark: 'log-old' | 'log-new' | undefined }) =>
  text === undefined ? (
    <span className="tg-faint">–</span>
  ) : (
    <code className={`tg-mono log-value ${mark ?? ''}`}>{text}</code>
  )

const DiffRow = ({ change }: { change: Change }) => {
  const same = change.kind === 'same'
  return (
    <tr>
      <th scope="row" className="tg-mono">
        {change.path || '–'}
      </th>
      <td>
        <Value text={change.before} mark={same ? undefined : 'log-old'} />
      </td>
      <td>
        <Value text={change.after} mark={same ? undefined : 'log-new'} />
      </td>
    </tr>
  )
}

const Diff = ({ before, after }: { before: unknown; after: unknown }) => {
  const { t } = useTranslation('logs')
  const [all, setAll] = useState(false)
  const changes = changesOf(before, after)
  const same = changes.filter((c) => c.kind === 'same').length
  const shown = all ? changes : changes.filter((c) => c.kind !== 'same')
  if (changes.length === 0) return <p className="tg-soft">{t('noState')}</p>
  return (
    <section className="tg-stack" aria-label={t('diff')}>
      <div className="tg-row">
        <h3>{t('diff')}</h3>
        {same === 0 ? null : (
          <Checkbox checked={all} onChange={(event) => setAll(event.target.checked)}>
            {t('showSame', { n: same })}
          </Checkbox>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="tg-soft">{t('nothingChanged')}</p>
      ) : (
        <div className="log-scroll">
          <table className="log-diff">
            <thead>
              <tr>
                <th scope="col">{t('field')}</th>
                <th scope="col">{t('before')}</th>
                <th scope="col">{t('after')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((change) => (
                <DiffRow key={change.path} change={change} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const Entry = ({ kind, id }: { kind: Kind; id: number }) => {
  const { t } = useTranslation('logs')
  const words = useActionWords()
  const { data, error, refetch } = useEntry(kind, id)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  const rows = [
    { key: 'time', label: t('time'), children: <RelativeTime iso={data.time} both /> },
    {
      key: 'who',
      label: t('who'),
      children: data.acting
        ? data.actingName === ''
          ? t('staffForYou')
          : `${data.actorName} · ${t('actedBy', { name: data.actingName })}`
        : data.actorName || (kind === 'ownLog' && data.actorKind === 'admin' ? t('staff') : t('nobody')),
    },
    {
      key: 'what',
      label: t('what'),
      children: (
        <span>
          {words(data.action)} <code className="tg-mono tg-soft">{data.action}</code>
        </span>
      ),
    },
    { key: 'target', label: t('target'), children: <code className="tg-mono">{data.target}</code> },
    { key: 'from', label: t('from'), children: <code className="tg-mono">{data.ip || '–'}</code> },
    { key: 'agent', label: t('agent'), children: data.userAgent || '–' },
    {
      key: 'request',
      label: t('request'),
      children: (
        <span className="tg-row-tight">
          <code className="tg-mono log-value">{data.requestId || '–'}</code>
          {data.requestId === '' ? null : <CopyButton text={data.requestId} label={t('request')} />}
        </span>
      ),
    },
  ]
  return (
    <div className="tg-stack">
      <Descriptions column={1} size="small" items={rows} />
      <Diff before={data.before} after={data.after} />
    </div>
  )
}

export const EntryDrawer = ({ kind, id, onClose }: { kind: Kind; id: number | null; onClose: () => void }) => {
  const { t } = useTranslation('logs')
  return (
    <Drawer
      open={id !== null}
      onClose={onClose}
      title={id === null ? '' : t('entry', { id })}
      size={640}
      destroyOnHidden
    >
      {id === null ? null : <Entry kind={kind} id={id} />}
    </Drawer>
  )
}
