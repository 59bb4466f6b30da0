/** What the doctor says, in both languages. */
export const DOCTOR_TEXTS = {
  database_ok: {
    zh: '数据库正常（PostgreSQL {version}，{ms} 毫秒）',
    en: 'database answers (PostgreSQL {version}, {ms} ms)',
  },
  clock_ok: { zh: '服务器与数据库时钟一致', en: "the server's and the database's clocks agree" },
  clock_off: { zh: '服务器与数据库时钟相差 {ms} 毫秒', en: "the server's and the database's clocks differ by {ms} ms" },
  schema_ok: { zh: '数据库结构为最新', en: 'the schema is up to date' },
  schema_wrong: { zh: '数据库结构不符：{text}', en: 'the schema differs: {text}' },
  disk_ok: { zh: '磁盘剩余 {free} GiB / 共 {total} GiB', en: 'disk: {free} GiB free of {total} GiB' },
  disk_short: {
    zh: '磁盘空间紧张：剩余 {free} GiB / 共 {total} GiB',
    en: 'disk is getting short: {free} GiB free of {total} GiB',
  },
  disk_low: {
    zh: '磁盘空间不足，已停止保存：剩余 {free} GiB / 共 {total} GiB',
    en: 'disk is low, nothing is saved any more: {free} GiB free of {total} GiB',
  },
  nodes_none: { zh: '尚无节点接入', en: 'no node has joined yet' },
  nodes_count: { zh: '节点在线 {online} / {total}', en: 'nodes online: {online} of {total}' },
  node_offline: { zh: '节点离线：{name}', en: 'node is offline: {name}' },
  node_clock: { zh: '节点时钟偏差 {ms} 毫秒：{name}', en: "node's clock is off by {ms} ms: {name}" },
  analytics_ok: { zh: '分析库正常', en: 'the analytics store answers' },
  analytics_none: {
    zh: '分析库未运行（也未设置 CLICKHOUSE_URL 指向外部分析库）',
    en: 'the analytics store is not running (nor does CLICKHOUSE_URL name another one)',
  },
  analytics_down: { zh: '分析库异常：{text}', en: 'the analytics store does not answer well: {text}' },
  failed: { zh: '检查失败（{name}）：{text}', en: 'cannot look at {name}: {text}' },
} as const
export type DoctorKey = keyof typeof DOCTOR_TEXTS
