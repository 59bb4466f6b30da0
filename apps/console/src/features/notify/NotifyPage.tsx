/** Notices: the log of deliveries, the texts, the channels. */
import { Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { ChannelTab } from './ChannelTab.tsx'
import { LogTab } from './LogTab.tsx'
import { TemplateTab } from './TemplateTab.tsx'
import './notify.css'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('notify')
  const { search, set } = useListQuery()
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <Tabs
        activeKey={search.get('tab') ?? 'log'}
        onChange={(tab) => set({ tab: tab === 'log' ? undefined : tab })}
        destroyOnHidden
        items={[
          { key: 'log', label: t('log'), children: <LogTab /> },
          { key: 'templates', label: t('templates'), children: <TemplateTab /> },
          { key: 'channels', label: t('channels'), children: <ChannelTab /> },
        ]}
      />
    </PageBody>
  )
}
