/** What the launcher says on the terminal, in both languages. `{name}` is replaced by a value. */
const texts = {
  starting: { en: 'starting {part}', zh: '正在启动{part}' },
  ready: { en: '{part} is ready', zh: '{part}已就绪' },
  adopted: { en: '{part} was still running and is used', zh: '{part}仍在运行，继续使用' },
  endedOrphan: {
    en: 'ended {part} left by an earlier start (process {pid})',
    zh: '已结束上次遗留的{part}（进程 {pid}）',
  },
  died: {
    en: '{part} ended ({reason}); starting it again in {ms} ms',
    zh: '{part}已退出（{reason}），{ms} 毫秒后重新启动',
  },
  restartFailed: { en: '{part} could not be started again: {reason}', zh: '{part}未能重新启动：{reason}' },
  failed: { en: '{part} did not start: {reason}', zh: '{part}启动失败：{reason}' },
  logTail: { en: 'the end of {file}:', zh: '{file} 的末尾：' },
  console: { en: 'console          {url}', zh: '控制台          {url}' },
  edge: { en: 'edge node        {url}', zh: '边缘节点        {url}' },
  demo: { en: 'demo site        curl -H "Host: {host}" {url}', zh: '演示站点        curl -H "Host: {host}" {url}' },
  account: {
    en: 'first admin      account: admin   password: {password}   (shown this once)',
    zh: '首个管理员      账号：admin   密码：{password}   （仅显示一次）',
  },
  running: { en: 'running; Ctrl-C stops everything', zh: '运行中，按 Ctrl-C 停止全部进程' },
  stopping: { en: 'stopping {part}', zh: '正在停止{part}' },
  killed: { en: '{part} did not stop in time and was ended', zh: '{part}未能及时停止，已强制结束' },
  stopped: { en: 'all processes have stopped', zh: '所有进程已停止' },
  held: {
    en: 'another launcher (process {pid}) is running on {dir}; stop it first or set TIDEGATE_DATA',
    zh: '另一个启动器（进程 {pid}）正在使用 {dir}，请先停止它或设置 TIDEGATE_DATA',
  },
  notBuilt: {
    en: '{file} is missing: run npm start or npm run build',
    zh: '缺少 {file}，请运行 npm start 或 npm run build',
  },
  folder: { en: '{dir} cannot be used: {reason}', zh: '无法使用 {dir}：{reason}' },
} as const

const parts = {
  database: { en: 'the database', zh: '数据库' },
  store: { en: 'the analytics store', zh: '分析存储' },
  server: { en: 'the control plane', zh: '控制面' },
  agent: { en: 'the edge node', zh: '边缘节点' },
  origin: { en: 'the demo origin', zh: '演示源站' },
} as const

export type PartName = keyof typeof parts
export type TextKey = keyof typeof texts
export type Language = 'en' | 'zh'
export type Say = (key: TextKey, values?: Record<string, string | number>) => void

/** The language of the terminal, by the usual variables. */
export function languageOf(env: NodeJS.ProcessEnv): Language {
  return /^zh/i.test(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ? 'zh' : 'en'
}

/** One text with its values in place; a value `part` is the name of a part and is translated too. */
export function textOf(language: Language, key: TextKey, values: Record<string, string | number> = {}): string {
  return texts[key][language].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return name === 'part' && value in parts ? parts[value as PartName][language] : String(value)
  })
}
