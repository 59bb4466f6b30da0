/** What a node sees of the net, asked for by an operator. */
import { Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { PageBody } from '../../../shared/Page.tsx'
import { useListQuery } from '../../../shared/useListQuery.ts'
import { DigTab } from './DigTab.tsx'
import { ProbeTab } from './ProbeTab.tsx'
import '../tools.css'
import './lookup.css'
import './texts.ts'

export const Page = () => {
  const { t } = useTranslation('lookup')
  const { search, set } = useListQuery()
  const tab = search.get('tab') === 'http' ? 'http' : 'dns'
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      <Tabs
        activeKey={tab}
        onChange={(next) => set({ tab: next === 'dns' ? undefined : next })}
        items={[
          { key: 'dns', label: t('dns'), children: <DigTab /> },
          { key: 'http', label: t('web'), children: <ProbeTab /> },
        ]}
      />
    </PageBody>
  )
}
