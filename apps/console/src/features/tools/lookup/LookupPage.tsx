/** What a node sees of the net, asked for by an operator. */
import { useQuery } from '@tanstack/react-query'
import { Tabs } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { Failed } from '../../../shared/Failed.tsx'
import { PageBody } from '../../../shared/Page.tsx'
import { useListQuery } from '../../../shared/useListQuery.ts'
import { DigTab } from './DigTab.tsx'
import { ProbeTab } from './ProbeTab.tsx'
import '../tools.css'
import './lookup.css'
import './texts.ts'

const useNodes = () =>
  useQuery({
    queryKey: ['tools', 'lookupNodes'],
    queryFn: ({ signal }) => call('tools.lookupNodes', {}, { signal }),
    select: (answer) => answer.data,
  })

export const Page = () => {
  const { t } = useTranslation('lookup')
  const { search, set } = useListQuery()
  const tab = search.get('tab') === 'http' ? 'http' : 'dns'
  const { data: nodes, error, refetch } = useNodes()
  return (
    <PageBody title={t('title')} sub={t('sub')}>
      {error === null ? null : <Failed error={error} onRetry={() => void refetch()} />}
      {nodes === undefined && error === null ? <div className="tg-bone" /> : null}
      {nodes === undefined ? null : (
        <Tabs
          activeKey={tab}
          onChange={(next) => set({ tab: next === 'dns' ? undefined : next })}
          items={[
            { key: 'dns', label: t('dns'), children: <DigTab nodes={nodes} /> },
            { key: 'http', label: t('web'), children: <ProbeTab nodes={nodes} /> },
          ]}
        />
      )}
    </PageBody>
  )
}
