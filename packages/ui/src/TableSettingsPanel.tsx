/** How all tables look (size, stripes, border, alignment, rows of a page), and the columns of this one. */
import { PAGE_SIZES } from '@tidegate/contract/limits'
import { Segmented, Select, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { ColumnSettings, type SettableTable } from './ColumnSettings.tsx'
import { type TableSettings as Settings, useUi } from './context.ts'
import './texts.ts'

export interface TableSettingsProps {
  /** Absent: the table's columns are as they are. */
  table?: SettableTable | undefined
  /** What else is to be done when another number of rows is chosen. */
  onPageSize?: ((size: number) => void) | undefined
}

const Looks = ({ onPageSize }: Pick<TableSettingsProps, 'onPageSize'>) => {
  const { t } = useTranslation('ui')
  const { table, setTable } = useUi()
  const set = (part: Partial<Settings>) => setTable({ ...table, ...part })
  return (
    <>
      <div>
        <span>{t('size')}</span>
        <Segmented<Settings['size']>
          size="small"
          aria-label={t('size')}
          value={table.size}
          onChange={(size) => set({ size })}
          options={[
            { value: 'medium', label: t('sizeMedium') },
            { value: 'small', label: t('sizeSmall') },
            { value: 'mini', label: t('sizeMini') },
          ]}
        />
      </div>
      <div>
        <span>{t('align')}</span>
        <Segmented<Settings['align']>
          size="small"
          aria-label={t('align')}
          value={table.align}
          onChange={(align) => set({ align })}
          options={[
            { value: 'left', label: t('alignLeft') },
            { value: 'center', label: t('alignCenter') },
            { value: 'right', label: t('alignRight') },
          ]}
        />
      </div>
      <div>
        <span>{t('striped')}</span>
        <Switch
          size="small"
          aria-label={t('striped')}
          checked={table.striped}
          onChange={(striped) => set({ striped })}
        />
      </div>
      <div>
        <span>{t('border')}</span>
        <Switch size="small" aria-label={t('border')} checked={table.border} onChange={(border) => set({ border })} />
      </div>
      <div>
        <span>{t('pageSize')}</span>
        <Select<number>
          size="small"
          aria-label={t('pageSizeAll')}
          value={table.pageSize}
          popupMatchSelectWidth={false}
          onChange={(pageSize) => {
            set({ pageSize })
            onPageSize?.(pageSize)
          }}
          options={PAGE_SIZES.map((value) => ({ value, label: String(value) }))}
        />
      </div>
    </>
  )
}

export const TableSettingsPanel = ({ table, onPageSize }: TableSettingsProps) => {
  const { t } = useTranslation('ui')
  return (
    <div className="tg-table-settings" role="dialog" aria-label={t('tableSettings')}>
      <div>
        <strong>{t('tableSettings')}</strong>
        <small className="tg-faint">{t('forAllTables')}</small>
      </div>
      <Looks onPageSize={onPageSize} />
      {table === undefined ? null : <ColumnSettings table={table} />}
    </div>
  )
}
