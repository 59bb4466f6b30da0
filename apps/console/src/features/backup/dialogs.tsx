/** What of the backups' screen asks for the password again: take one along, restore, import. */
import { fieldText } from '@tidegate/contract/errors'
import { MIN_PASSPHRASE } from '@tidegate/contract/limits'
import type { BackupRow } from '@tidegate/contract/operations/backup'
import { useUi } from '@tidegate/ui/context'
import { absolute, bytes, figureText } from '@tidegate/ui/format'
import { Alert, Button, Form, Input, Upload } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { newId } from '../../shared/id.ts'
import { useSay } from '../../shared/useSay.tsx'
import { askForRestore, fetchBackup } from './api.ts'
import { ProofDialog, type ProofValues, required } from './ProofDialog.tsx'

interface NewPassphrase extends ProofValues {
  passphrase: string
  again: string
}

/** A passphrase that is new: typed twice. */
export const NewPassphraseFields = ({ hint }: { hint: string }) => {
  const { t } = useTranslation('backup')
  const { lang } = useUi()
  const tooShort = fieldText('too_short', lang, { min: MIN_PASSPHRASE })
  return (
    <>
      <Form.Item
        name="passphrase"
        label={t('passphrase')}
        extra={hint}
        rules={[required(), { min: MIN_PASSPHRASE, message: tooShort }]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={t('again')}
        dependencies={['passphrase']}
        rules={[
          required(),
          ({ getFieldValue }) => ({
            validator: async (_, value) => {
              if (value && value !== getFieldValue('passphrase')) throw new Error(t('notSame'))
            },
          }),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  )
}

/** A new backup of this moment, or one that is kept, as a file for the person. */
export const ExportDialog = ({ backup, onClose }: { backup: BackupRow | null; onClose: () => void }) => {
  const { t } = useTranslation('backup')
  const say = useSay()
  return (
    <ProofDialog<NewPassphrase>
      title={backup === null ? t('export') : t('download')}
      okText={t('download')}
      onClose={onClose}
      run={async (proof, { passphrase }) => {
        await fetchBackup(proof, backup === null ? { passphrase } : { name: backup.name, place: backup.place })
        say.ok('done')
        onClose()
      }}
    >
      <p>{backup === null ? t('exportText') : t('downloadText', { name: backup.name })}</p>
      {backup === null ? <NewPassphraseFields hint={t('passphraseHint')} /> : null}
    </ProofDialog>
  )
}

interface RestoreValues extends ProofValues {
  passphrase: string
  word: string
}

const RestoreFields = () => {
  const { t } = useTranslation('backup')
  return (
    <>
      <Form.Item name="passphrase" label={t('passphraseOf')} rules={[required()]}>
        <Input.Password autoComplete="off" />
      </Form.Item>
      <Form.Item
        name="word"
        label={
          <span>
            {t('typeWord')} <code className="tg-mono">{t('word')}</code>
          </span>
        }
      >
        <Input autoComplete="off" spellCheck={false} />
      </Form.Item>
    </>
  )
}

const Consequences = () => {
  const { t } = useTranslation('backup')
  return (
    <Alert
      type="warning"
      className="backup-warning"
      title={t('restoreWarning')}
      description={
        <ul className="backup-facts">
          <li>{t('restoreReplaces')}</li>
          <li>{t('restoreSafety')}</li>
          <li>{t('restoreLogins')}</li>
          <li>{t('restoreNodes')}</li>
        </ul>
      }
    />
  )
}

/** A backup of the list, or (null) a file of the person's. */
export const RestoreDialog = ({
  backup,
  onClose,
  onStarted,
}: {
  backup: BackupRow | null
  onClose: () => void
  /** `request`: by which it is asked what becomes of it. */
  onStarted: (request: string) => void
}) => {
  const { t } = useTranslation('backup')
  const { lang, timeZone } = useUi()
  const [file, setFile] = useState<File | null>(null)
  const run = async (proof: string, { passphrase }: RestoreValues) => {
    const what = backup ?? file
    if (what === null) return
    const request = newId()
    await askForRestore(proof, passphrase, what, request)
    onStarted(request)
  }
  const about =
    backup === null ? t('importText') : t('restoreText', { name: backup.name, time: absolute(backup.time, timeZone) })
  return (
    <ProofDialog<RestoreValues>
      title={backup === null ? t('import') : t('restore')}
      okText={t('restore')}
      danger
      blocked={({ word }) => word?.trim() !== t('word') || (backup === null && file === null)}
      onClose={onClose}
      run={run}
      // What is wrong with the file, or with the backup of this name, stands above the form.
      fieldOf={(path) => (path === 'file' || path === 'name' ? undefined : path === 'proof' ? 'password' : path)}
    >
      <p>{about}</p>
      <Consequences />
      {backup === null ? (
        <Form.Item label={t('file')} required>
          <Upload
            accept=".backup"
            maxCount={1}
            showUploadList={false}
            beforeUpload={(chosen) => {
              setFile(chosen)
              return false
            }}
          >
            <Button>{t('chooseFile')}</Button>
          </Upload>
          {file === null ? null : (
            <span className="tg-soft backup-file">
              {file.name} · {figureText(bytes(file.size, lang))}
            </span>
          )}
        </Form.Item>
      ) : null}
      <RestoreFields />
    </ProofDialog>
  )
}
