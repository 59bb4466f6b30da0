/** The list of nodes as a file. */
import type { NodeState } from '@tidegate/contract/enums'
import { type Exportable, exportable, type Words } from '../../platform/exportable.ts'
import { listNodes } from './operations.ts'

const STATES: Record<NodeState, Words> = {
  online: { zh: '在线', en: 'online' },
  offline: { zh: '离线', en: 'offline' },
  never: { zh: '未安装', en: 'never seen' },
  revoked: { zh: '已吊销', en: 'revoked' },
}

export const nodeExport: Exportable = exportable('node.list', 'nodes', listNodes, [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (n) => n.id },
  { key: 'name', title: { zh: '名称', en: 'Name' }, value: (n) => n.name },
  { key: 'address', title: { zh: '地址', en: 'Address' }, value: (n) => n.address },
  { key: 'hostname', title: { zh: '主机名', en: 'Host name' }, value: (n) => n.hostname },
  { key: 'state', title: { zh: '状态', en: 'State' }, value: (n, as) => as.say(STATES[n.state]) },
  { key: 'alerts', title: { zh: '告警', en: 'Alerts' }, value: (n) => n.alerts.join(' ') },
  { key: 'groupName', title: { zh: '服务分组', en: 'Service group' }, value: (n) => n.groupName },
  { key: 'desired', title: { zh: '目标版本', en: 'Revision wanted' }, value: (n) => n.desiredRevision },
  { key: 'applied', title: { zh: '生效版本', en: 'Revision live' }, value: (n) => n.appliedRevision },
  { key: 'refused', title: { zh: '拒绝的资源', en: 'Resources refused' }, value: (n) => n.refusedNow },
  { key: 'load', title: { zh: '1 分钟负载', en: 'Load of 1 min' }, value: (n) => n.load1 },
  { key: 'cpus', title: { zh: 'CPU 数', en: 'CPUs' }, value: (n) => n.cpus },
  { key: 'memTotal', title: { zh: '内存（字节）', en: 'Memory (bytes)' }, value: (n) => n.memTotal },
  { key: 'memFree', title: { zh: '空闲内存（字节）', en: 'Memory free (bytes)' }, value: (n) => n.memFree },
  { key: 'diskTotal', title: { zh: '磁盘（字节）', en: 'Disk (bytes)' }, value: (n) => n.diskTotal },
  { key: 'diskFree', title: { zh: '空闲磁盘（字节）', en: 'Disk free (bytes)' }, value: (n) => n.diskFree },
  { key: 'cacheBytes', title: { zh: '缓存（字节）', en: 'Cache (bytes)' }, value: (n) => n.cacheBytes },
  { key: 'agentVersion', title: { zh: '代理版本', en: 'Agent version' }, value: (n) => n.agentVersion },
  { key: 'lastSeen', title: { zh: '最后上报', en: 'Last seen' }, value: (n, as) => as.time(n.lastSeen) },
  { key: 'lastAck', title: { zh: '最后确认', en: 'Last acknowledged' }, value: (n, as) => as.time(n.lastAck) },
  { key: 'remark', title: { zh: '备注', en: 'Remark' }, value: (n) => n.remark },
])
