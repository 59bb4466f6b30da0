/** Makes or changes a task. The kind decides which parameters there are. */
import { useQuery } from '@tanstack/react-query'
import { TASK_LOST_RULES, TASK_OVERLAPS, type TaskLostRule, type TaskOverlap } from '@tidegate/contract/enums'
import { fieldText } from '@tidegate/contract/errors'
import { MAX_TASK_TIMEOUT } from '@tidegate/contract/limits'
import type { TaskField, TaskKindRow, TaskRow } from '@tidegate/contract/operations/schedule'
import { useUi } from '@tidegate/ui/context'
import { Alert, Button, Drawer, Form, Input, InputNumber, Radio, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Failed } from '../../shared/Failed.tsx'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { TASKS, useKinds } from './api.ts'
import { CronField } from './CronField.tsx'
import { useLostRules, useOverlaps, useTaskName } from './words.tsx'

interface Values {
  kind: string
  description: string
  cron: string
  params: Record<string, unknown>
  timeout: number
  overlap: TaskOverlap
  lost: TaskLostRule
  status: boolean
}

/** What a new task of a kind begins with. */
const newOf = ({ kind, cron, params, timeout, overlap, lost }: TaskKindRow): Values => ({
  ...{ kind, cron, params, timeout, overlap, lost },
  description: '',
  status: true,
})
const valuesOf = ({ kind, description, cron, params, timeout, overlap, lost, status }: TaskRow): Values => ({
  ...{ kind, description, cron, params, timeout, overlap, lost },
  status: status === 1,
})

/** Paths of the server's field errors as the form names its fields. */
const fieldOf = (path: string) => {
  const [first = '', name] = path.split('.')
  return first === 'params' && name !== undefined ? ['params', name] : first
}

const numbers = (values: unknown) =>
  Array.isArray(values) ? values.map((v) => (/^\d+$/.test(String(v)) ? Number(v) : v)) : values

const Param = ({ field }: { field: TaskField }) => {
  const { lang } = useUi()
  const range = { ...(field.min !== null && { min: field.min }), ...(field.max !== null && { max: field.max }) }
  const item = { name: ['params', field.name], label: field.title[lang] }
  if (field.type === 'boolean')
    return (
      <Form.Item {...item} valuePropName="checked">
        <Switch />
      </Form.Item>
    )
  if (field.type === 'numbers')
    return (
      <Form.Item {...item} normalize={numbers}>
        <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ']} />
      </Form.Item>
    )
  return (
    <Form.Item {...item}>{field.type === 'number' ? <InputNumber {...range} precision={0} /> : <Input />}</Form.Item>
  )
}

const Rules = () => {
  const { t } = useTranslation('schedule')
  const overlaps = useOverlaps()
  const losts = useLostRules()
  return (
    <>
      <Form.Item name="overlap" label={t('overlap')}>
        <Radio.Group options={TASK_OVERLAPS.map((value) => ({ value, label: overlaps[value] }))} />
      </Form.Item>
      <Form.Item name="lost" label={t('lost')}>
        <Radio.Group options={TASK_LOST_RULES.map((value) => ({ value, label: losts[value] }))} />
      </Form.Item>
    </>
  )
}

const KindField = ({
  kinds,
  fixed,
  onKind,
}: {
  kinds: readonly TaskKindRow[]
  fixed: boolean
  onKind: (kind: TaskKindRow) => void
}) => {
  const { t } = useTranslation('schedule')
  const { lang } = useUi()
  const chosen = Form.useWatch<string>('kind')
  return (
    <Form.Item name="kind" label={t('kind')} extra={kinds.find((one) => one.kind === chosen)?.about[lang]}>
      <Select
        disabled={fixed}
        options={kinds.map((one) => ({ value: one.kind, label: one.title[lang] }))}
        onChange={(kind: string) => {
          const found = kinds.find((one) => one.kind === kind)
          if (found !== undefined) onKind(found)
        }}
      />
    </Form.Item>
  )
}

const Params = ({ kinds }: { kinds: readonly TaskKindRow[] }) => {
  const chosen = Form.useWatch<string>('kind')
  return kinds.find((one) => one.kind === chosen)?.fields.map((field) => <Param key={field.name} field={field} />)
}

interface FormProps {
  task: TaskRow | null
  kinds: readonly TaskKindRow[]
  first: TaskKindRow
  onSaved: () => void
}

const TaskForm = ({ task, kinds, first, onSaved }: FormProps) => {
  const { t } = useTranslation(['schedule', 'shared'])
  const { lang } = useUi()
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { busy, failed, save } = useFormSave<Values>(
    form,
    async ({ status, ...values }) => {
      await call('schedule.save', { ...values, ...(task !== null && { id: task.id }), status: status ? 1 : 0 })
      say.ok(task === null ? 'added' : 'edited')
      onSaved()
    },
    fieldOf,
  )
  const required = { required: true, message: fieldText('required', lang) }
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={save}
      initialValues={task === null ? newOf(first) : valuesOf(task)}
    >
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <KindField
        kinds={kinds}
        fixed={task !== null}
        onKind={({ about: _about, fields: _fields, title: _title, ...rules }) => form.setFieldsValue(rules)}
      />
      <Form.Item name="description" label={t('description')} extra={t('descriptionHint')}>
        <Input maxLength={200} />
      </Form.Item>
      <CronField />
      <Params kinds={kinds} />
      <div className="tg-row">
        <Form.Item name="timeout" label={t('timeout')} rules={[required]}>
          <InputNumber min={1} max={MAX_TASK_TIMEOUT} precision={0} />
        </Form.Item>
        <Form.Item name="status" label={t('enabled')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </div>
      <Rules />
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('save', { ns: 'shared' })}
      </Button>
    </Form>
  )
}

/** What the form needs first: the kinds, and the task as it is now. */
const Body = ({ id, onSaved }: { id: number | null; onSaved: () => void }) => {
  const kinds = useKinds()
  const task = useQuery({
    queryKey: [...TASKS, id],
    queryFn: async ({ signal }) => (await call('schedule.info', { id: id ?? 0 }, { signal })).data,
    enabled: id !== null,
    gcTime: 0,
  })
  const error = kinds.error ?? task.error
  if (error !== null)
    return (
      <Failed
        error={error}
        onRetry={() => void Promise.all([kinds.refetch(), ...(id === null ? [] : [task.refetch()])])}
      />
    )
  const first = kinds.data?.[0]
  if (first === undefined || kinds.data === undefined || (id !== null && task.data === undefined))
    return <div className="tg-bone" />
  return <TaskForm task={task.data ?? null} kinds={kinds.data} first={first} onSaved={onSaved} />
}

/** `task` null: a new one. */
export const TaskDrawer = ({
  open,
  task,
  onClose,
}: {
  open: boolean
  task: TaskRow | null
  onClose: (saved: boolean) => void
}) => {
  const { t } = useTranslation('schedule')
  const nameOf = useTaskName()
  const title = task === null ? t('addTitle') : t('editTitle', { name: nameOf(task) })
  return (
    <Drawer open={open} onClose={() => onClose(false)} title={title} size={560} destroyOnHidden>
      {open ? <Body id={task?.id ?? null} onSaved={() => onClose(true)} /> : null}
    </Drawer>
  )
}
