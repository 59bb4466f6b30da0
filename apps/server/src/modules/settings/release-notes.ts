/** Release notes, newest first: what people who use a release notice of it. */
export interface Release {
  version: string
  /** Day of the release, YYYY-MM-DD; empty while it is being made. */
  date: string
  notes: { zh: readonly string[]; en: readonly string[] }
}

export const RELEASES: readonly Release[] = [
  {
    version: '0.1.0',
    date: '',
    notes: {
      zh: [
        '节点：一条命令、一次性令牌加入，自行生成密钥',
        '站点：域名、源站与故障切换、缓存、按 SNI 选择证书',
        '缓存清理：按站点、URL 或目录，显示每个节点的回执',
        '增量推送配置，节点拒绝时保留上一份可用配置，可以回退',
        '概览、请求日志与精确计数，数据来自节点',
        '管理员、角色与权限、两步验证、操作日志',
        '系统设置：网站、支付、邮件、短信等，保留历史，可以恢复',
        '图片上传，存放于本机或 S3 兼容存储',
      ],
      en: [
        'Nodes: joined by one command with a one-time token; each makes its own key',
        'Sites: domains, origins with failover, caching, certificates chosen by SNI',
        'Cache cleanup by site, URL or directory, with the answer of every node',
        'Incremental pushes of configuration; a node that refuses keeps the last good one; versions can be rolled back',
        "An overview, request logs and exact counters from the nodes' own figures",
        'Administrators, roles and permissions, second factors, an audit log',
        'System settings: website, payment, mail, SMS and more, each with history and restore',
        'Uploads of images, kept on disk or in S3-compatible storage',
      ],
    },
  },
]
