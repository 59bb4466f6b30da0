/** Popover that sets how all tables look: size, stripes, border, alignment. */
import { Popover, Segmented, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import { type TableSettings as Settings, useUi } from './context.ts'
import { Icon } from './Icon.tsx'
import './texts.ts'

const Panel = () => {
  const { t } = useTranslation('ui')
  const { table, setTable } = useUi()
  const set = (part: Partial<Settings>) => setTable({ ...table, ...part })
  return (
    <div className="tg-table-settings">
      <strong>{t('tableSettings')}</strong>
      <div>
        <span>{t('size')}</span>
        <Segmented<Settings['size']>
          size="small"
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
    </div>
  )
}

export const TableSettings = () => {
  const { t } = useTranslation('ui')
  return (
    <Popover trigger="click" placement="bottomRight" arrow={false} content={<Panel />}>
      <button type="button" className="tg-icon-button tg-icon-button-32" aria-label={t('tableSettings')}>
        <Icon name="settings" />
      </button>
    </Popover>
  )
}
