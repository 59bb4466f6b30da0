/** The foot of a paged table: total, page size, previous, pages, next, jump; on a phone total, previous, where one is, next. */
import { COUNT_CAP, PAGE_SIZES } from '@tidegate/contract/limits'
import { Input, Pagination, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useUi } from './context.ts'
import { grouped } from './format.ts'
import './texts.ts'

export interface PagerProps {
  page: number
  limit: number
  total: number
  onPage: (page: number) => void
  onLimit: (limit: number) => void
}

const Jumper = ({ last, onPage }: { last: number; onPage: (page: number) => void }) => {
  const { t } = useTranslation('ui')
  const [typed, setTyped] = useState('')
  const go = () => {
    if (typed !== '') onPage(Math.min(last, Math.max(1, Number(typed))))
    setTyped('')
  }
  return (
    <span className="tg-pager-jump">
      {t('goTo')}
      <Input
        size="small"
        inputMode="numeric"
        maxLength={9}
        aria-label={t('goToPage')}
        value={typed}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
        onPressEnter={go}
        onBlur={go}
      />
      {t('page')}
    </span>
  )
}

export const Pager = ({ page, limit, total, onPage, onLimit }: PagerProps) => {
  const { t } = useTranslation('ui')
  const { lang } = useUi()
  const last = Math.max(1, Math.ceil(total / limit))
  return (
    <nav className="tg-pager" aria-label={t('pages')}>
      <span className="tg-pager-total">
        {total >= COUNT_CAP
          ? t('totalMore', { total: grouped(COUNT_CAP - 1, lang) })
          : t('total', { total: grouped(total, lang) })}
      </span>
      <Select<number>
        size="small"
        aria-label={t('pageSize')}
        value={limit}
        onChange={onLimit}
        popupMatchSelectWidth={false}
        options={PAGE_SIZES.map((n) => ({ value: n, label: t('perPage', { n }) }))}
        className="tg-pager-size"
      />
      <Pagination
        size="small"
        className="tg-pager-pages"
        current={page}
        pageSize={limit}
        total={total}
        showSizeChanger={false}
        onChange={onPage}
      />
      <Pagination
        size="small"
        simple={{ readOnly: true }}
        className="tg-pager-short"
        current={page}
        pageSize={limit}
        total={total}
        showSizeChanger={false}
        onChange={onPage}
      />
      <Jumper last={last} onPage={onPage} />
    </nav>
  )
}
