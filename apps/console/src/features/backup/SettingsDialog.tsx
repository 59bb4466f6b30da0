/** Where backups go, and the passphrase of those that are made by the schedule or with one click. */
import { BACKUP_PARAMS, type BackupTarget } from '@tidegate/contract/config/backup'
import { paramShown } from '@tidegate/contract/config/params'
import { SECRET_MASK } from '@tidegate/contract/config/record'
import { Form, Input, Radio } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { useBackupSettings } from './api.ts'
import { NewPassphraseFields } from './dialogs.tsx'
import { ProofDialog, type ProofValues, required } from './ProofDialog.tsx'

interface Values extends ProofValues {
  target: BackupTarget
  passphrase: string
  again: string
}

const useWords = (): Readonly<Record<string, string>> => {
  const { t } = useTranslation('backup')
  return {
    endpoint: t('endpoint'),
    region: t('region'),
    bucket: t('bucket'),
    prefix: t('prefix'),
    accessKeyId: 'AccessKey ID',
    secretAccessKey: 'Secret Access Key',
  }
}

const TargetFields = () => {
  const { t } = useTranslation('backup')
  const words = useWords()
  const chosen = Form.useWatch<string>(['target', 'target']) ?? 'disk'
  return (
    <>
      <Form.Item
        name={['target', 'target']}
        label={t('target')}
        extra={chosen === 'disk' ? t('diskHint') : t('s3Hint')}
      >
        <Radio.Group
          options={[
            { value: 'disk', label: t('disk') },
            { value: 's3', label: t('s3') },
          ]}
        />
      </Form.Item>
      {BACKUP_PARAMS.filter(({ name }) => name !== 'target').map((param) =>
        paramShown(param, { target: chosen }) ? (
          <Form.Item
            key={param.name}
            name={['target', param.name]}
            label={words[param.name]}
            rules={'optional' in param ? [] : [required()]}
          >
            {'secret' in param ? <Input.Password autoComplete="new-password" /> : <Input spellCheck={false} />}
          </Form.Item>
        ) : null,
      )}
    </>
  )
}

/** What is stored; where there is nothing, what most storages want. */
const withPresets = (target: Record<string, string>): BackupTarget =>
  Object.fromEntries(
    BACKUP_PARAMS.map((param) => [param.name, target[param.name] || ('preset' in param ? param.preset : '')]),
  ) as BackupTarget

/** Path of the server's field error as the form names its fields. */
const fieldOf = (path: string) => {
  const [first = '', name] = path.split('.')
  if (first === 'proof') return 'password'
  return first === 'target' && name !== undefined ? ['target', name] : first
}

export const SettingsDialog = ({ onClose }: { onClose: (saved: boolean) => void }) => {
  const { t } = useTranslation(['backup', 'shared'])
  const say = useSay()
  const { data, error, refetch } = useBackupSettings()
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  const kept = data.passphrase === SECRET_MASK
  return (
    <ProofDialog<Values>
      title={t('settings')}
      okText={t('save', { ns: 'shared' })}
      initial={{
        target: data.target.target === 's3' ? (data.target as BackupTarget) : withPresets(data.target),
        passphrase: data.passphrase,
        again: data.passphrase,
      }}
      onClose={() => onClose(false)}
      fieldOf={fieldOf}
      run={async (proof, { target, passphrase }) => {
        await call('backup.settingsSave', { proof, target, passphrase })
        say.ok('saved')
        onClose(true)
      }}
    >
      <TargetFields />
      <NewPassphraseFields hint={kept ? t('passphraseKept') : t('passphraseHint')} />
    </ProofDialog>
  )
}
