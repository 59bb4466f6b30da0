/** A customer's own work orders, and a new one. */
import { fieldText } from '@tidegate/contract/errors'
import { MAX_WORK_ORDER_TEXT } from '@tidegate/contract/limits'
import type { OwnOrder } from '@tidegate/contract/operations/work-order'
import { contentText } from '@tidegate/contract/work-order'
import type { Column } from '@tidegate/ui/DataTable.tsx'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Alert, Button, Drawer, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { currentLang } from '../../shared/i18n.ts'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { ORDERS } from '../../shared/order/api.ts'
import { PageBody } from '../../shared/Page.tsx'
import { usePollMs } from '../../shared/site-config.ts'
import { useFormSave } from '../../shared/useFormSave.ts'
import { useSay } from '../../shared/useSay.tsx'
import { useCategories, useOrdersAgain } from './api.ts'
import { useDraft } from './draft.ts'
import { CategoryFilter, LabelFilter, labelOf, numberOf } from './LabelFilter.tsx'
import './order.css'
import { PicturePicker } from './Pictures.tsx'
import { SoundButton } from './SoundButton.tsx'
import './texts.ts'
import { useLabelWord } from './words.ts'

interface Values {
  title: string
  categoryId: number
  content: string
}

const NewOrderForm = ({ onOpened }: { onOpened: (id: number) => void }) => {
  const { t } = useTranslation('workorder')
  const say = useSay()
  const [form] = Form.useForm<Values>()
  const { data: categories = [] } = useCategories()
  const [draft, change, clear] = useDraft('order new')
  const required = { required: true, message: fieldText('required', currentLang()) }
  const { busy, failed, save } = useFormSave<Values>(form, async ({ title, categoryId, content }) => {
    const { id } = await call('ownOrder.save', { title, categoryId, content: contentText(content.trim(), draft.img) })
    clear()
    say.ok('added')
    onOpened(id)
  })
  return (
    <Form<Values> form={form} layout="vertical" onFinish={save} initialValues={{ content: draft.text }}>
      {failed === '' ? null : <Alert type="error" className="shell-alert" title={failed} />}
      <Form.Item name="title" label={t('title')} rules={[{ ...required, whitespace: true }]}>
        <Input maxLength={100} autoFocus />
      </Form.Item>
      <Form.Item name="categoryId" label={t('category')} rules={[required]}>
        <Select options={categories.map(({ id, title }) => ({ value: id, label: title }))} />
      </Form.Item>
      <Form.Item name="content" label={t('content')} rules={[{ ...required, whitespace: true }]}>
        <Input.TextArea
          rows={8}
          maxLength={MAX_WORK_ORDER_TEXT}
          onChange={(event) => change({ text: event.target.value })}
        />
      </Form.Item>
      <Form.Item label={t('pictures')}>
        <PicturePicker img={draft.img} onChange={(img) => change({ img })} />
      </Form.Item>
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('submit')}
      </Button>
    </Form>
  )
}

const useColumns = (): Column<OwnOrder>[] => {
  const { t } = useTranslation('workorder')
  const word = useLabelWord()
  return [
    { key: 'id', title: t('number'), sorter: true, render: (_, r) => `#${r.id}`, width: 80 },
    {
      key: 'title',
      heads: true,
      title: t('title'),
      width: 320,
      render: (_, r) => (
        <Link to={`/cdn/work-order/list/detail?id=${r.id}`} className="order-title">
          {r.unread > 0 ? <strong>{r.title}</strong> : r.title}
          {r.unread > 0 ? <span className="order-unread">{t('unread', { count: r.unread })}</span> : null}
        </Link>
      ),
    },
    {
      key: 'label',
      title: t('state'),
      render: (_, r) => {
        const [tone, text] = word(r.label)
        return <StatusDot tone={tone}>{text}</StatusDot>
      },
    },
    { key: 'category', title: t('category'), render: (_, r) => r.categoryObj.title },
    {
      key: 'lastSubmitDate',
      title: t('last'),
      sorter: true,
      render: (_, r) => <RelativeTime iso={r.lastSubmitDate} both />,
    },
  ]
}

export const Page = () => {
  const { t } = useTranslation('workorder')
  const navigate = useNavigate()
  const again = useOrdersAgain()
  const pollMs = usePollMs()
  const list = useList('ownOrder.list', ORDERS, {
    filters: (search) => ({ label: labelOf(search.get('label')), categoryId: numberOf(search.get('category')) }),
    every: pollMs,
  })
  const { search, set } = list
  const [adding, setAdding] = useState(false)
  const columns = useColumns()
  const opened = (id: number) => {
    setAdding(false)
    void again()
    void navigate(`/cdn/work-order/list/detail?id=${id}`)
  }
  return (
    <PageBody
      title={t('ownHeading')}
      sub={t('ownSub')}
      actions={
        <>
          <SoundButton />
          <Button type="primary" icon={<Icon name="plus" />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        </>
      }
    >
      <ListTable
        list={list}
        label={t('ownHeading')}
        columns={columns}
        toolbar={
          <>
            <LabelFilter
              value={labelOf(search.get('label'))}
              counts={list.answer?.counts}
              onChange={(label) => set({ label })}
            />
            <SearchBox label={t('searchOwn')} value={list.query.key ?? ''} onSearch={(key) => set({ key })} />
            <CategoryFilter value={search.get('category')} onChange={(category) => set({ category })} />
          </>
        }
        empty={list.filtered ? t('emptyFiltered') : t('ownEmpty')}
        exports
      />
      <Drawer open={adding} onClose={() => setAdding(false)} title={t('add')} size={560} destroyOnHidden>
        {adding ? <NewOrderForm onOpened={opened} /> : null}
      </Drawer>
    </PageBody>
  )
}
