/** Takes a file of names. What is wrong with it is told line by line, and the dialog stays. */
import type { BlackScope } from '@tidegate/contract/black'
import { MAX_BLACK_FILE_LINES } from '@tidegate/contract/limits'
import { useUi } from '@tidegate/ui/context'
import { bytes, figureText, grouped } from '@tidegate/ui/format'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, App, Button, Form, Radio, Upload } from 'antd'
import { useTranslation } from 'react-i18next'
import { callWithFile } from '../../../shared/api/call.ts'
import { useFormSave } from '../../../shared/useFormSave.ts'
import { useSay } from '../../../shared/useSay.tsx'
import { CategoryFields, ScopeField } from './EntryForm.tsx'

interface Values {
  file: File | null
  scope: BlackScope
  existing: 'refuse' | 'skip'
  category: string
  remark: string
}

const EMPTY: Values = { file: null, scope: 'tree', existing: 'refuse', category: '', remark: '' }

/** A form's field of one file. */
const FileField = ({ value, onChange }: { value?: File | null; onChange?: (file: File) => void }) => {
  const { t } = useTranslation('black')
  const { lang } = useUi()
  return (
    <>
      <Upload
        accept=".txt,.list,.hosts,text/plain"
        maxCount={1}
        showUploadList={false}
        beforeUpload={(chosen) => {
          onChange?.(chosen)
          return false
        }}
      >
        <Button>{t('chooseFile')}</Button>
      </Upload>
      {value ? (
        <span className="tg-soft black-file">
          {value.name} · {figureText(bytes(value.size, lang))}
        </span>
      ) : null}
    </>
  )
}

export const ImportDialog = ({
  categories,
  onClose,
}: {
  categories: readonly string[]
  onClose: (changed: boolean) => void
}) => {
  const { t } = useTranslation(['black', 'shared'])
  const { lang } = useUi()
  const { message } = App.useApp()
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(form, async ({ file, ...fields }) => {
    if (file === null) return
    const { added, skipped } = await callWithFile('black.import', fields, file, { long: true })
    message.success(t('imported', { added: grouped(added, lang), skipped: grouped(skipped, lang) }))
    onClose(true)
  })
  return (
    <PageModal
      open
      title={t('importTitle')}
      okText={t('import')}
      cancelText={t('cancel', { ns: 'shared' })}
      okButtonProps={{ loading: busy }}
      onOk={() => form.submit()}
      onCancel={() => {
        say.cancelled()
        onClose(false)
      }}
    >
      <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={EMPTY} requiredMark>
        <p className="tg-soft black-lead">{t('importText', { lines: grouped(MAX_BLACK_FILE_LINES, lang) })}</p>
        {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
        <Form.Item
          name="file"
          label={t('file')}
          required
          className="black-faults"
          rules={[
            {
              validator: (_, file: File | null) =>
                file ? Promise.resolve() : Promise.reject(new Error(t('fileRequired'))),
            },
          ]}
        >
          <FileField />
        </Form.Item>
        <Form.Item name="existing" label={t('existing')}>
          <Radio.Group
            className="black-radios"
            options={[
              { value: 'refuse', label: t('refuse') },
              { value: 'skip', label: t('skip') },
            ]}
          />
        </Form.Item>
        <ScopeField label={t('lineScope')} />
        <CategoryFields categories={categories} />
      </Form>
    </PageModal>
  )
}
