/** One's own second factors. */
import type { FactorRow, SecurityState } from '@tidegate/contract/operations/security'
import { deviceOf } from '@tidegate/contract/user-agent'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Alert, App, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../api/call.ts'
import { AppSetup } from './AppSetup.tsx'
import { Ask } from './Ask.tsx'
import { Codes } from './Codes.tsx'
import { Panel } from './Panel.tsx'

type Doing = { what: 'app' | 'passkey' | 'codes' } | { what: 'remove'; factor: FactorRow } | null

const Row = ({ factor, onRemove }: { factor: FactorRow; onRemove: () => void }) => {
  const { t } = useTranslation('security')
  const app = factor.kind === 'totp'
  return (
    <li>
      <Icon name={app ? 'clock' : 'lock'} />
      <div>
        {app ? t('app') : factor.name}
        <small>
          {app ? null : `${t('passkey')} · `}
          {t('added')} <RelativeTime iso={factor.createTime} /> · {factor.lastUse === '' ? t('neverUsed') : t('used')}{' '}
          {factor.lastUse === '' ? null : <RelativeTime iso={factor.lastUse} />}
        </small>
      </div>
      <button type="button" className="tg-link-button tg-danger" onClick={onRemove}>
        {t('remove')}
      </button>
    </li>
  )
}

/** The browser's part is fetched when it is needed. */
const registerPasskey = async (password: string, name: string, failed: string): Promise<string[]> => {
  const { ticket, options } = await call('security.passkey', { password })
  const { startRegistration } = await import('@simplewebauthn/browser')
  type Options = Parameters<typeof startRegistration>[0]['optionsJSON']
  const response = await startRegistration({ optionsJSON: options as unknown as Options }).catch((cause: unknown) => {
    throw new Error(failed, { cause })
  })
  return (await call('security.passkeyConfirm', { ticket, name, response: { ...response } })).recoveryCodes
}

const RemoveFactor = ({
  factor,
  onClose,
  onDone,
}: {
  factor: FactorRow
  onClose: () => void
  onDone: (codes: string[]) => void
}) => {
  const { t } = useTranslation('security')
  return (
    <Ask
      title={t('removeTitle', { name: factor.kind === 'totp' ? t('app') : factor.name })}
      text={t('removeText')}
      okText={t('remove')}
      danger
      onClose={onClose}
      run={async ({ password }) => {
        await call('security.factorDelete', { id: factor.id, password })
        onDone([])
      }}
    />
  )
}

const Dialogs = ({
  doing,
  onClose,
  onDone,
}: {
  doing: Doing
  onClose: () => void
  onDone: (codes: string[]) => void
}) => {
  const { t } = useTranslation('security')
  if (doing === null) return null
  if (doing.what === 'remove') return <RemoveFactor factor={doing.factor} onClose={onClose} onDone={onDone} />
  if (doing.what === 'app') return <AppSetup onClose={onClose} onDone={onDone} />
  if (doing.what === 'passkey')
    return (
      <Ask
        title={t('passkeyAdd')}
        text={t('passkeyText')}
        okText={t('next')}
        name={{ label: t('passkeyName'), preset: deviceOf(navigator.userAgent) }}
        onClose={onClose}
        run={async ({ password, name }) => onDone(await registerPasskey(password, name, t('passkeyFailed')))}
      />
    )
  return (
    <Ask
      title={t('codesNew')}
      text={t('codesNewText')}
      okText={t('codesNew')}
      onClose={onClose}
      run={async ({ password }) => onDone((await call('security.recovery', { password })).recoveryCodes)}
    />
  )
}

export const Factors = ({ state, onChanged }: { state: SecurityState; onChanged: () => void }) => {
  const { t } = useTranslation('security')
  const { message } = App.useApp()
  const [doing, setDoing] = useState<Doing>(null)
  const [codes, setCodes] = useState<string[]>([])
  const { factors, passkeys, recoveryLeft, required } = state
  const done = (given: string[]) => {
    if (doing?.what === 'remove') message.success(t('factorRemoved'))
    else if (doing?.what !== 'codes') message.success(t('factorAdded'))
    setDoing(null)
    setCodes(given)
    onChanged()
  }
  return (
    <Panel title={t('factors')} sub={t('factorsSub')}>
      {required ? <Alert type="warning" showIcon className="shell-alert" title={t('required')} /> : null}
      <ul className="security-list">
        {factors.map((factor) => (
          <Row key={factor.id} factor={factor} onRemove={() => setDoing({ what: 'remove', factor })} />
        ))}
        {factors.length === 0 ? <li className="tg-faint">{t('factorsNone')}</li> : null}
        {factors.length > 0 ? (
          <li>
            <Icon name="key" />
            <div>
              {t('codes')} <small>{t('codesLeft', { count: recoveryLeft })}</small>
            </div>
            <button type="button" className="tg-link-button" onClick={() => setDoing({ what: 'codes' })}>
              {t('codesNew')}
            </button>
          </li>
        ) : null}
      </ul>
      <div className="security-foot">
        <Button disabled={factors.some((f) => f.kind === 'totp')} onClick={() => setDoing({ what: 'app' })}>
          {t('appAdd')}
        </Button>
        <Button disabled={!passkeys} onClick={() => setDoing({ what: 'passkey' })}>
          {t('passkeyAdd')}
        </Button>
        {passkeys ? null : <span className="tg-faint">{t('passkeyNot')}</span>}
      </div>
      <Dialogs doing={doing} onClose={() => setDoing(null)} onDone={done} />
      {codes.length === 0 ? null : <Codes codes={codes} onClose={() => setCodes([])} />}
    </Panel>
  )
}
