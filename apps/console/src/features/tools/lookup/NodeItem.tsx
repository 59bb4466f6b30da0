/** The node that is to look: the first that is online until another is chosen. */
import type { ToolNode } from '@tidegate/contract/operations/tools'
import { Form } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chosenNode, NodeSelect } from '../NodeSelect.tsx'

/** `nodeId` undefined: there is no node that could. */
export const useNodeItem = (nodes: readonly ToolNode[]): { nodeId: number | undefined; item: ReactNode } => {
  const { t } = useTranslation('lookup')
  const [wanted, want] = useState(0)
  const nodeId = chosenNode(nodes, wanted)
  return {
    nodeId,
    item: (
      <Form.Item label={t('node')}>
        <NodeSelect nodes={nodes} value={nodeId} onChange={want} />
      </Form.Item>
    ),
  }
}
