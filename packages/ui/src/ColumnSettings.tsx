/** Which columns a table shows, in which order, and which stay in place: by mouse or keyboard. */
import { Checkbox } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTIONS, type Arrangeable, dropped, moved, NO_PREFS, ordered, type Pin, pinOf, toggled } from './columns.ts'
import { useUi } from './context.ts'
import { Icon, type IconName } from './Icon.tsx'
import './texts.ts'

export interface SettableColumn extends Arrangeable {
  /** As the person reads it. */
  name: string
}
export interface SettableTable {
  id: string
  columns: readonly SettableColumn[]
}

const Small = ({
  icon,
  name,
  pressed,
  disabled = false,
  onClick,
}: {
  icon: IconName
  name: string
  pressed?: boolean
  disabled?: boolean
  onClick: () => void
}) => (
  <button
    type="button"
    className="tg-icon-button"
    aria-label={name}
    title={name}
    disabled={disabled}
    {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
    onClick={onClick}
  >
    <Icon name={icon} size={14} />
  </button>
)

interface RowProps {
  column: SettableColumn
  first: boolean
  last: boolean
  shown: boolean
  pin: Pin
  onShow: () => void
  onMove: (step: -1 | 1) => void
  onPin: (pin: Pin) => void
}

const Row = ({ column, first, last, shown, pin, onShow, onMove, onPin }: RowProps) => {
  const { t } = useTranslation('ui')
  const { name } = column
  const toggle = (side: 'left' | 'right') => onPin(pin === side ? 'none' : side)
  return (
    <>
      <Checkbox checked={shown} onChange={onShow}>
        {name}
      </Checkbox>
      <span className="tg-row-tight">
        <Small icon="pinLeft" name={t('pinLeft', { name })} pressed={pin === 'left'} onClick={() => toggle('left')} />
        <Small
          icon="pinRight"
          name={t('pinRight', { name })}
          pressed={pin === 'right'}
          onClick={() => toggle('right')}
        />
        <Small icon="up" name={t('moveUp', { name })} disabled={first} onClick={() => onMove(-1)} />
        <Small icon="down" name={t('moveDown', { name })} disabled={last} onClick={() => onMove(1)} />
      </span>
    </>
  )
}

export const ColumnSettings = ({ table }: { table: SettableTable }) => {
  const { t } = useTranslation('ui')
  const { columns: all, setColumns } = useUi()
  const [dragged, setDragged] = useState<string | null>(null)
  const prefs = all[table.id] ?? NO_PREFS
  const rows = ordered(table.columns, prefs).filter((column) => column.key !== ACTIONS)
  const drop = (onto: string) => {
    if (dragged !== null) setColumns(table.id, dropped(table.columns, prefs, dragged, onto))
    setDragged(null)
  }
  return (
    <>
      <div>
        <strong>{t('columns')}</strong>
        <button
          type="button"
          className="tg-link-button"
          disabled={all[table.id] === undefined}
          onClick={() => setColumns(table.id, null)}
        >
          {t('resetColumns')}
        </button>
      </div>
      <ul className="tg-columns" aria-label={t('columns')}>
        {rows.map((column, i) => (
          <li
            key={column.key}
            draggable
            className={dragged === column.key ? 'tg-dragged' : undefined}
            onDragStart={() => setDragged(column.key)}
            onDragOver={(event) => event.preventDefault()}
            onDrop={() => drop(column.key)}
            onDragEnd={() => setDragged(null)}
          >
            <Row
              column={column}
              first={i === 0}
              last={i === rows.length - 1}
              shown={!prefs.hidden.includes(column.key)}
              pin={pinOf(column, prefs)}
              onShow={() => setColumns(table.id, toggled(table.columns, prefs, column.key))}
              onMove={(step) => setColumns(table.id, moved(table.columns, prefs, column.key, step))}
              onPin={(pin) => setColumns(table.id, { ...prefs, pins: { ...prefs.pins, [column.key]: pin } })}
            />
          </li>
        ))}
      </ul>
    </>
  )
}
