/** The texts of notices: built-in ones, or the operator's own. */
import { useQueryClient } from '@tanstack/react-query'
import { templateText, unknownPlace } from '@tidegate/contract/config/notify'
import { fieldText } from '@tidegate/contract/errors'
import type { TemplateRow } from '@tidegate/contract/operations/notify'
import { App, Button, Drawer, Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { Failed } from '../../shared/Failed.tsx'
import { currentLang } from '../../shared/i18n.ts'
import { schemaRule } from '../../shared/rules.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { NOTICES, usePreview, useTemplates } from './api.ts'
import { useChannelWords } from './words.ts'

interface Text {
  subject: string
  body: string
}

const Preview = ({ row, text }: { row: TemplateRow; text: Text }) => {
  const { t } = useTranslation('notify')
  const { event, channel, lang } = row
  const { data, error } = usePreview({ event, channel, lang, ...text }, text.body !== '')
  return (
    <section className="notify-preview" aria-label={t('preview')}>
      <h3>{t('preview')}</h3>
      {error === null ? null : <p className="tg-soft">{errorLine(error)}</p>}
      {data === undefined ? null : (
        <>
          <strong>{data.subject}</strong>
          <p>{data.text}</p>
        </>
      )}
    </section>
  )
}

const Variables = ({ row }: { row: TemplateRow }) => {
  const { t } = useTranslation('notify')
  return (
    <section aria-label={t('variables')}>
      <h3>{t('variables')}</h3>
      <dl className="notify-variables">
        {row.variables.map(({ name, title }) => (
          <div key={name}>
            <dt className="tg-mono">{`{${name}}`}</dt>
            <dd className="tg-soft">{title[currentLang()]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** A text may name the event's own variables only. */
const textRules = (schema: z.ZodType, { variables }: TemplateRow) => [
  schemaRule(schema),
  {
    validator: (_: unknown, text: string | undefined) => {
      const unknown = unknownPlace(text ?? '', variables)
      return unknown === null
        ? Promise.resolve()
        : Promise.reject(new Error(fieldText('unknown_variable', currentLang(), { value: `{${unknown}}` })))
    },
  },
]

const Editor = ({ row, onSaved }: { row: TemplateRow; onSaved: () => void }) => {
  const { t } = useTranslation(['notify', 'shared'])
  const { message } = App.useApp()
  const say = useSay()
  const [form] = Form.useForm<Text>()
  const { event, channel, lang, subject, body } = row
  const [text, setText] = useState<Text>({ subject, body })
  const { busy, failed, save } = useFormSave<Text>(form, async (values) => {
    await call('notify.templateSave', { event, channel, lang, ...values })
    message.success(t('saved'))
    onSaved()
  })
  const reset = async () => {
    await call('notify.templateSave', { event, channel, lang, subject, body, reset: true })
    message.success(t('resetDone'))
    onSaved()
  }
  return (
    <Form<Text>
      form={form}
      layout="vertical"
      className="notify-editor"
      initialValues={text}
      onFinish={save}
      onValuesChange={(_, all) => setText({ ...text, ...all })}
    >
      {failed === '' ? null : <p role="alert">{failed}</p>}
      <Form.Item name="subject" label={t('subject')} rules={textRules(templateText.shape.subject, row)}>
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item name="body" label={t('body')} rules={textRules(templateText.shape.body, row)}>
        <Input.TextArea rows={8} maxLength={20_000} />
      </Form.Item>
      <div className="tg-row">
        <Button type="primary" htmlType="submit" loading={busy}>
          {t('save', { ns: 'shared' })}
        </Button>
        {row.own ? (
          <Button onClick={() => reset().catch((error: unknown) => say.failed(error))}>{t('reset')}</Button>
        ) : null}
      </div>
      <Variables row={row} />
      <Preview row={row} text={text} />
    </Form>
  )
}

export const TemplateTab = () => {
  const { t } = useTranslation('notify')
  const channels = useChannelWords()
  const client = useQueryClient()
  const templates = useTemplates()
  const [lang, setLang] = useState(currentLang())
  const [shown, setShown] = useState<TemplateRow | null>(null)
  if (templates.error !== null) return <Failed error={templates.error} onRetry={() => void templates.refetch()} />
  if (templates.data === undefined) return <div className="tg-bone" />
  const rows = templates.data.filter((row) => row.lang === lang)
  /** An event stands once, beside all its channels. */
  const ofEvent = ({ event }: TemplateRow) => rows.filter((one) => one.event === event)
  const first = (row: TemplateRow) => ofEvent(row)[0] === row
  const count = (row: TemplateRow) => ofEvent(row).length
  const done = () => {
    setShown(null)
    void client.invalidateQueries({ queryKey: [...NOTICES, 'templates'] })
  }
  return (
    <div className="tg-stack">
      <Segmented
        aria-label={t('textLang')}
        value={lang}
        onChange={(value) => setLang(value)}
        options={[
          { value: 'zh' as const, label: t('chinese') },
          { value: 'en' as const, label: t('english') },
        ]}
      />
      <div className="tg-panel notify-scroll">
        <table className="notify-texts">
          <thead>
            <tr>
              <th scope="col">{t('event')}</th>
              <th scope="col">{t('channel')}</th>
              <th scope="col">{t('subject')}</th>
              <th scope="col">{t('origin')}</th>
              <th scope="col">{t('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.event} ${row.channel}`}>
                {first(row) ? <td rowSpan={count(row)}>{row.title[currentLang()]}</td> : null}
                <td>{channels[row.channel]}</td>
                <td>{row.subject}</td>
                <td className="tg-soft notify-origin">{row.own ? t('own') : t('builtIn')}</td>
                <td>
                  <button type="button" className="tg-link-button" onClick={() => setShown(row)}>
                    {t('edit')}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Drawer
        open={shown !== null}
        onClose={() => setShown(null)}
        title={shown?.title[currentLang()] ?? ''}
        size={560}
        destroyOnHidden
      >
        {shown === null ? null : <Editor row={shown} onSaved={done} />}
      </Drawer>
    </div>
  )
}
