/** Everything that a node has reported of itself. */
import type { NodeRow } from '@tidegate/contract/operations/node'
import { useUi } from '@tidegate/ui/context'
import { bytes, figureText } from '@tidegate/ui/format'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Descriptions, Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Alerts, LastAck, NodeStatus, Revision } from './columns.tsx'

const Facts = ({ node }: { node: NodeRow }) => {
  const { t } = useTranslation('node')
  const { lang } = useUi()
  const size = (n: number) => figureText(bytes(n, lang))
  const free = (f: number, total: number) => (total === 0 ? '–' : t('free', { free: size(f), total: size(total) }))
  const rows = [
    { key: 'state', label: t('state'), children: <NodeStatus node={node} /> },
    { key: 'group', label: t('group'), children: node.groupName },
    { key: 'address', label: t('address'), children: node.address || '–' },
    { key: 'hostname', label: t('hostname'), children: node.hostname || '–' },
    { key: 'agent', label: t('agentVersion'), children: node.agentVersion || '–' },
    { key: 'engine', label: t('engineVersion'), children: node.engineVersion || '–' },
    { key: 'revision', label: t('revision'), children: <Revision node={node} /> },
    { key: 'seen', label: t('lastSeen'), children: <RelativeTime iso={node.lastSeen} both /> },
    { key: 'ack', label: t('lastAck'), children: <LastAck node={node} /> },
    { key: 'cert', label: t('certExpires'), children: <RelativeTime iso={node.certExpires} both /> },
    { key: 'sites', label: t('sites'), children: node.sites },
    { key: 'ports', label: t('ports'), children: node.httpPort === 0 ? '–' : `${node.httpPort} / ${node.httpsPort}` },
    {
      key: 'load',
      label: t('load'),
      children: node.cpus === 0 ? '–' : `${node.load1.toFixed(2)} / ${node.cpus} ${t('cpus')}`,
    },
    { key: 'memory', label: t('memory'), children: free(node.memFree, node.memTotal) },
    { key: 'disk', label: t('disk'), children: free(node.diskFree, node.diskTotal) },
    { key: 'cache', label: t('cache'), children: size(node.cacheBytes) },
    { key: 'spool', label: t('spool'), children: size(node.spoolBytes) },
    { key: 'alerts', label: t('alerts'), children: <Alerts alerts={node.alerts} /> },
    { key: 'remark', label: t('remark'), children: node.remark || '–' },
  ]
  return <Descriptions column={1} size="small" items={rows} />
}

export const DetailDrawer = ({ node, onClose }: { node: NodeRow | null; onClose: () => void }) => (
  <Drawer open={node !== null} onClose={onClose} title={node?.name} size={480} destroyOnHidden>
    {node === null ? null : <Facts node={node} />}
  </Drawer>
)
