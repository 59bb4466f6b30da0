/** Chooses the node that a tool asks; one that is offline cannot be. */
import type { ToolNode } from '@tidegate/contract/operations/tools'
import { StatusDot } from '@tidegate/ui/StatusDot.tsx'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import './texts.ts'

interface Props {
  id?: string
  nodes: readonly ToolNode[] | undefined
  value: number | undefined
  onChange: (id: number) => void
}

export const NodeSelect = ({ id, nodes, value, onChange }: Props) => {
  const { t } = useTranslation('tools')
  const option = ({ id: node, name, groupName, state }: ToolNode) => ({
    value: node,
    title: name,
    disabled: state !== 'online',
    text: name,
    label: (
      <StatusDot tone={state === 'online' ? 'good' : 'idle'}>
        {name} <span className="tg-faint">{state === 'online' ? groupName : t('offline')}</span>
      </StatusDot>
    ),
  })
  return (
    <Select
      {...(id !== undefined && { id })}
      aria-label={t('node')}
      placeholder={t('chooseNode')}
      className="tools-node"
      loading={nodes === undefined}
      showSearch={{ optionFilterProp: 'text' }}
      value={value ?? null}
      onChange={(next: number | null) => next !== null && onChange(next)}
      options={(nodes ?? []).map(option)}
      notFoundContent={t('noNodes')}
    />
  )
}

/** The node asked for when it is there, else the first that is online. */
export const chosenNode = (nodes: readonly ToolNode[] | undefined, wanted: number): number | undefined =>
  nodes?.find((node) => node.id === wanted)?.id ?? nodes?.find((node) => node.state === 'online')?.id
