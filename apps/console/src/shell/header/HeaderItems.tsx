/** The bar's buttons that the person has not hidden; on a phone those that fold stand behind one. */
import { Popover } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePrefs } from '../../shared/prefs.ts'
import { HEADER_ITEMS, type HeaderItem } from './items.ts'
import { ToolButton } from './ToolButton.tsx'

const Row = ({ items }: { items: readonly HeaderItem[] }) => items.map(({ key, Item }) => <Item key={key} />)

const More = ({ items }: { items: readonly HeaderItem[] }) => {
  const { t } = useTranslation('shell')
  const [open, setOpen] = useState(false)
  const content = (
    <div className="shell-more">
      <Row items={items} />
    </div>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} trigger="click" placement="bottomRight" content={content}>
      <ToolButton icon="more" name={t('more')} />
    </Popover>
  )
}

export const HeaderItems = ({ phone }: { phone: boolean }) => {
  const header = usePrefs((s) => s.header)
  const items = HEADER_ITEMS.filter(({ toggle }) => toggle === undefined || header[toggle])
  if (!phone) return <Row items={items} />
  const folded = items.filter((item) => item.folds === true)
  return (
    <>
      <Row items={items.filter((item) => item.folds !== true)} />
      {folded.length === 0 ? null : <More items={folded} />}
    </>
  )
}
