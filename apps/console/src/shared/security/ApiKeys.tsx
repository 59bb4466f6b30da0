/** Keys for programs of one's own account. */
import { useQueryClient } from '@tanstack/react-query'
import type { ApiKeyRow } from '@tidegate/contract/operations/apikey'
import type { OutputOf } from '@tidegate/contract/operations/index'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { TypedConfirm } from '@tidegate/ui/TypedConfirm.tsx'
import { App, Button, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { Failed } from '../Failed.tsx'
import { currentLang } from '../i18n.ts'
import { ApiKeyDrawer } from './ApiKeyForm.tsx'
import { API_KEYS, useApiKeys } from './api.ts'
import { Panel } from './Panel.tsx'
import './texts.ts'
import { useSay } from '../useSay.tsx'

type Scope = OutputOf<'apikey.list'>['data']['scopes'][number]
type Doing = { what: 'add' } | { what: 'edit' | 'delete'; row: ApiKeyRow } | null

/** The key itself, shown once. */
const NewKey = ({ secret, onClose }: { secret: string; onClose: () => void }) => {
  const { t } = useTranslation('security')
  return (
    <PageModal
      open
      title={t('keyMade')}
      okText={t('codesKept')}
      onOk={onClose}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      cancelButtonProps={{ hidden: true }}
    >
      <p>{t('keyOnce')}</p>
      <p className="tg-row-tight">
        <span className="security-secret">{secret}</span>
        <CopyButton text={secret} label={t('keys')} />
      </p>
      <p className="tg-faint">{t('keyUse')}</p>
    </PageModal>
  )
}

/** So many permissions are named in a row; the hint has them all. */
const NAMED = 3

const Scopes = ({ values, scopes }: { values: readonly string[]; scopes: Scope[] }) => {
  const { t } = useTranslation('security')
  const comma = t('comma')
  // What the owner has lost meanwhile has no name here.
  const names = values.map((value) => scopes.find((s) => s.value === value)?.name[currentLang()] ?? value)
  const more = names.length - NAMED
  if (more <= 0) return names.join(comma)
  return (
    <Tooltip title={names.join(comma)}>
      <span>
        {names.slice(0, NAMED).join(comma)} {t('keyScopesMore', { count: more })}
      </span>
    </Tooltip>
  )
}

interface RowProps {
  row: ApiKeyRow
  scopes: Scope[]
  onDo: (doing: Doing) => void
  onEnable: (enabled: boolean) => void
}

const Row = ({ row, scopes, onDo, onEnable }: RowProps) => {
  const { t } = useTranslation(['security', 'shared'])
  return (
    <li>
      <Icon name="key" />
      <div>
        {row.name} <span className="tg-faint tg-mono">{row.hint}…</span>{' '}
        {row.expired ? <StatusDot tone="bad">{t('keyExpired')}</StatusDot> : null}
        <small>
          <Scopes values={row.scopes} scopes={scopes} /> ·{' '}
          {row.allowedIps.length === 0 ? t('keyAnywhere') : row.allowedIps.join(', ')}
          {row.expireTime === '' ? null : (
            <>
              {' '}
              · {t('keyUntil')} <RelativeTime iso={row.expireTime} />
            </>
          )}
        </small>
        <small>
          {row.lastUse === '' ? t('neverUsed') : t('used')}{' '}
          {row.lastUse === '' ? null : (
            <>
              <RelativeTime iso={row.lastUse} /> · <span className="tg-mono">{row.lastUseIp}</span>
            </>
          )}
        </small>
      </div>
      <Switch size="small" checked={row.enabled} onChange={onEnable} aria-label={t('keyOn', { name: row.name })} />
      <button type="button" className="tg-link-button" onClick={() => onDo({ what: 'edit', row })}>
        {t('edit', { ns: 'shared' })}
      </button>
      <button type="button" className="tg-link-button tg-danger" onClick={() => onDo({ what: 'delete', row })}>
        {t('delete', { ns: 'shared' })}
      </button>
    </li>
  )
}

const Remove = ({ row, onClose }: { row: ApiKeyRow; onClose: () => void }) => {
  const { t } = useTranslation(['security', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  return (
    <TypedConfirm
      open
      title={t('keyDelete')}
      word={row.name}
      okText={t('delete', { ns: 'shared' })}
      onOk={async () => {
        try {
          await call('apikey.delete', { ids: [row.id] })
        } catch (error) {
          say.failed(error)
          throw error
        }
        message.success(t('deleted', { ns: 'shared' }))
        onClose()
      }}
      onCancel={() => {
        message.info(t('cancelled', { ns: 'shared' }))
        onClose()
      }}
    >
      {t('keyDeleteText')}
    </TypedConfirm>
  )
}

export const ApiKeys = () => {
  const { t } = useTranslation('security')
  const say = useSay()
  const client = useQueryClient()
  const { data, error, refetch } = useApiKeys()
  const [doing, setDoing] = useState<Doing>(null)
  const [secret, setSecret] = useState('')
  const changed = () => {
    setDoing(null)
    void client.invalidateQueries({ queryKey: API_KEYS })
  }
  const enable = async (id: number, enabled: boolean) => {
    await call('apikey.enable', { id, enabled }).catch((cause: unknown) => say.failed(cause))
    changed()
  }
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  return (
    <Panel
      title={t('keys')}
      sub={t('keysSub')}
      action={
        <Button size="small" icon={<Icon name="plus" />} onClick={() => setDoing({ what: 'add' })}>
          {t('keyAdd')}
        </Button>
      }
    >
      <ul className="security-list">
        {data.list.map((row) => (
          <Row
            key={row.id}
            row={row}
            scopes={data.scopes}
            onDo={setDoing}
            onEnable={(enabled) => void enable(row.id, enabled)}
          />
        ))}
        {data.list.length === 0 ? <li className="tg-faint">{t('keysNone')}</li> : null}
      </ul>
      <ApiKeyDrawer
        open={doing?.what === 'add' || doing?.what === 'edit'}
        row={doing?.what === 'edit' ? doing.row : null}
        scopes={data.scopes}
        onClose={() => setDoing(null)}
        onSaved={(key) => {
          if (key !== undefined) setSecret(key)
          changed()
        }}
      />
      {doing?.what === 'delete' ? <Remove row={doing.row} onClose={changed} /> : null}
      {secret === '' ? null : <NewKey secret={secret} onClose={() => setSecret('')} />}
    </Panel>
  )
}
