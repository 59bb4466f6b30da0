/** Enumerations with the numbers and letters of the specification (section 3, "Enumerations"); of what is built so far. */

export const LANGUAGES = ['zh', 'en'] as const
export type Lang = (typeof LANGUAGES)[number]

export const CONSOLES = ['admin', 'dns-admin', 'user', 'dns-user'] as const
export type ConsoleId = (typeof CONSOLES)[number]

/** Base paths of the API. Under /api/ the session's console decides; before login the header `console` does. */
export const API_BASES = ['/antsxdp/', '/ants-dns-api/', '/api/'] as const

/** Menu types: 0 directory, 1 screen, 2 permission only (a button). */
export const MENU_TYPES = { directory: 0, screen: 1, action: 2 } as const

/** A customer's real name: none handed in, waiting for review, decided. */
export const VERIFY_STATUSES = ['none', 'pending', 'verified', 'rejected'] as const

/** Ways of a verification code. */
export const CODE_CHANNELS = ['mail', 'sms'] as const
export type CodeChannel = (typeof CODE_CHANNELS)[number]

/** Logins that an administrator holds in another's place: a customer's, or with one role's rights. */
export const ACTING_KINDS = ['impersonation', 'preview'] as const

export const ORIGIN_DEFAULT_PORTS = { http: [80, 8080], https: [443, 8443] } as const

/** A push, as a whole and on one node. */
export const PUSH_STATES = ['pending', 'done', 'refused'] as const
export type PushState = (typeof PUSH_STATES)[number]

export const NODE_STATES = ['online', 'offline', 'never', 'revoked'] as const
export type NodeState = (typeof NODE_STATES)[number]

export const EXPORT_STATES = ['waiting', 'running', 'done', 'failed'] as const
export type ExportState = (typeof EXPORT_STATES)[number]

/** `command`: by a command on the server; `safety`: of what a restore replaced. */
export const BACKUP_KINDS = ['hand', 'scheduled', 'command', 'safety'] as const
export type BackupKind = (typeof BACKUP_KINDS)[number]
export const BACKUP_PLACES = ['disk', 's3'] as const
export type BackupPlace = (typeof BACKUP_PLACES)[number]
export const BACKUP_RUN_STATES = ['waiting', 'running', 'done', 'failed'] as const

/** Of an import or restore that was asked for: comes in and is read, taken and waits for the restart, and how it ended. */
export const IMPORT_STATES = ['checking', 'restoring', 'done', 'refused', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const PURGE_STATES = ['pending', 'done', 'failed'] as const

export const PUSH_REASONS = ['site', 'purge', 'cert', 'settings', 'resync', 'rollback', 'push'] as const
export type PushReason = (typeof PUSH_REASONS)[number]

/** Ranges of the overview; `today` begins at midnight of the installation's time zone. */
export const CHART_RANGES = ['1h', '6h', 'today', '7d', '30d'] as const
export type ChartRange = (typeof CHART_RANGES)[number]

/** How an order is paid (specification, section 3). */
export const PAYMENT_METHODS = {
  balance: 0,
  backOffice: 1,
  alipay: 2,
  wechat: 3,
  fuiou: 4,
  unionpay: 5,
  online: 7,
  crypto: 8,
  epay: 9,
  allinpay: 10,
} as const
/** Messages: 1 in-site, 2 announcement, 3 work order. */
export const MESSAGE_TYPES = [1, 2, 3] as const
export const MESSAGE_TYPE = { inSite: 1, announcement: 2, workOrder: 3 } as const
/** Who reads a message: everybody, customers, administrators, chosen customers. */
export const MESSAGE_TARGETS = ['all', 'users', 'admins', 'chosen'] as const
export type MessageTarget = (typeof MESSAGE_TARGETS)[number]

/** Work orders as they are stored. */
export const WORK_ORDER_STATUS = { processing: 0, completed: 1, appeal: 2, closed: 3 } as const
/** What the lists call them: by state, whether the staff has answered, and why it was closed. */
export const WORK_ORDER_LABELS = ['pending', 'processing', 'completed', 'appeal', 'closed', 'rejected'] as const
/** Why an order is closed; '' while it is not. */
export const WORK_ORDER_REASONS = ['', 'user', 'staff', 'rejected'] as const
/** What can happen to an order: `ask`, `rate` and `appeal` are the customer's, the others the staff's. */
export const WORK_ORDER_MOVES = ['ask', 'rate', 'appeal', 'answer', 'complete', 'reject', 'close', 'reopen'] as const
/** The choice about the notification sound as it is stored. */
export const SOUND_CHOICE = { refused: 1, allowed: 2 } as const
/** When a task is due while it still runs: leave it out, let it wait, run both. */
export const TASK_OVERLAPS = ['skip', 'queue', 'parallel'] as const
export type TaskOverlap = (typeof TASK_OVERLAPS)[number]
/** What becomes of a run whose process was killed. */
export const TASK_LOST_RULES = ['retry', 'fail'] as const
export type TaskLostRule = (typeof TASK_LOST_RULES)[number]
/** `lost`: its process ended in the middle; `skipped`: due while the one before still ran. */
export const RUN_STATES = ['waiting', 'running', 'done', 'failed', 'timeout', 'lost', 'skipped'] as const
export type RunState = (typeof RUN_STATES)[number]
/** What started a run: the clock, a person, the loss of the run before. */
export const RUN_TRIGGERS = ['clock', 'hand', 'retry'] as const
export type RunTrigger = (typeof RUN_TRIGGERS)[number]
/** Which sums were compared: a site's minutes with its hour, hours with its day, all sites with the total or the nodes, an hour with raw lines. */
export const GAP_KINDS = ['hour', 'day', 'total', 'node', 'raw'] as const
export type GapKind = (typeof GAP_KINDS)[number]
/** `doubtful`: the finer sums are in doubt themselves, so nothing was repaired; `known`: as many raw lines are known to be lost. */
export const GAP_STATES = ['open', 'repaired', 'doubtful', 'known'] as const
export type GapState = (typeof GAP_STATES)[number]
/** Raw lines were compared, their store did not answer, there is none. */
export const RAW_STATES = ['compared', 'sampled', 'away', 'none'] as const
export type RawState = (typeof RAW_STATES)[number]
/** Of the system license: no file, a good one, one whose term is over, one for another installation, one that nobody known signed. */
export const LICENSE_STATES = ['community', 'valid', 'expired', 'elsewhere', 'forged'] as const
