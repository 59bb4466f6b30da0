/** The node that is to look: the first that is online until another is chosen. */
import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/call.ts'
import { chosenNode, NodeSelect } from '../NodeSelect.tsx'

interface Nodes {
  /** undefined: there is none, or it is not known yet. */
  nodeId: number | undefined
  error: Error | null
  again: () => void
  item: React.ReactNode
}

export const useNodeItem = (wanted: number | undefined, choose: (id: number) => void): Nodes => {
  const { t } = useTranslation('lookup')
  const { data, error, refetch } = useQuery({
    queryKey: ['tools', 'lookupNodes'],
    queryFn: ({ signal }) => call('tools.lookupNodes', {}, { signal }),
    select: (answer) => answer.data,
  })
  const nodeId = chosenNode(data, wanted ?? 0)
  return {
    ...{ nodeId, error, again: () => void refetch() },
    item: (
      <Form.Item label={t('node')}>
        <NodeSelect nodes={data} value={nodeId} onChange={choose} />
      </Form.Item>
    ),
  }
}
