/** Release notes, newest first: what people who use a release notice of it. */
export interface Release {
  version: string
  /** Day of the release, YYYY-MM-DD; empty while it is being made. */
  date: string
  notes: { zh: readonly string[]; en: readonly string[] }
}

export const RELEASES: readonly Release[] = [
  {
    version: '0.2.0',
    date: '',
    notes: {
      zh: [
        '系统设置：网站、支付、邮件、短信等，均保留历史并可恢复',
        '客户账号、消息与通知',
        '图片上传，可存放于本机或 S3 兼容存储',
      ],
      en: [
        'System settings: website, payment, mail, SMS and more, each with history and restore',
        'Customer accounts, messages and notices',
        'Uploads of images, kept on disk or in S3-compatible storage',
      ],
    },
  },
  {
    version: '0.1.0',
    date: '2026-11-01',
    notes: {
      zh: ['CDN 站点、证书、缓存清理与节点管理', '配置推送与每个节点的回执', '管理员、角色、菜单与操作日志'],
      en: [
        'CDN sites, certificates, cache cleanup and nodes',
        'Pushes of configuration with the answer of every node',
        'Administrators, roles, menus and the audit log',
      ],
    },
  },
]
