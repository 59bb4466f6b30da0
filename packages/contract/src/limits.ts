/** Limits that server and console share. Durations in seconds unless the name says otherwise. */
export const PAGE_SIZES = [10, 20, 30, 40, 50, 100, 200] as const
export const DEFAULT_PAGE_SIZE = 20
/** Lists count at most this many rows, then say "more than". */
export const COUNT_CAP = 10_001

/** Exports of lists: rows of a file, hours that it is kept, those of one account that may wait or run at a time. */
export const EXPORT_MAX_ROWS = 100_000
export const EXPORT_KEEP_HOURS = 24
export const EXPORT_MAX_ACTIVE = 3

/** Characters of a backup's passphrase. */
export const MIN_PASSPHRASE = 12

export const MAX_DOMAINS_PER_SITE = 200
export const MAX_ORIGINS_PER_SITE = 32
export const MAX_CACHE_RULES = 200
/** Entries of a service group's list of private origins that are allowed. */
export const MAX_ALLOWED_ORIGINS = 200
/** MiB; 100 TB. */
export const MAX_CACHE_MB = 100_000_000
export const MAX_CACHE_TTL = 31_536_000

/** Purge (specification, section 9): tasks a minute and account, entries a task. */
export const PURGE_TASKS_PER_MINUTE = 2
export const PURGE_MAX_ENTRIES = { site: 200, url: 200, dir: 100 } as const

export const TOKEN_IDLE = 2 * 3600
export const TOKEN_ABSOLUTE = 24 * 3600
export const CAPTCHA_TTL = 120
/** Wrong passwords after which a captcha is asked for, for an account or an address. */
export const CAPTCHA_AFTER_FAILURES = 3
/** Wrong passwords in 15 minutes after which further tries are put off. */
export const LOGIN_MAX_FAILURES = { account: 10, address: 50 } as const
export const LOGIN_WINDOW = 900

/** How long a ticket between two steps of a login is good, and for how many wrong tries. */
export const TICKET_TTL = 300
export const TICKET_TRIES = 5
export const RECOVERY_CODES = 10
export const MAX_FACTORS = 10
export const MAX_API_KEYS = 50
/** How long the code that opens a login in another's place is good. */
export const HANDOVER_TTL = 60
export const MAX_WHITE_IPS = 200

/** Checks of a real name at the identity API: tries of one customer in 24 hours, and days that an answer is remembered. */
export const IDENTITY_CHECKS_PER_DAY = 3
export const IDENTITY_CACHE_DAYS = 30

export const ENROLL_TOKEN_TTL = 900
export const NODE_CERT_DAYS = 90
/** A site's certificate that ends within so many days is worth a look. */
export const CERT_SOON_DAYS = 14
/** A node's clock that is off by more is shown. */
export const CLOCK_SKEW_WARN_MS = 2_000
/** A node that has not reported for so long is offline. */
export const NODE_OFFLINE_AFTER = 30

export const MAX_BODY_BYTES = 1_048_576
export const MAX_LOG_BATCH_LINES = 5_000
export const MAX_LOG_BATCH_BYTES = 8 * 1_048_576

export const REQUEST_TIMEOUT_MS = 300_000
/** For a part of the console that is fetched when it is needed. */
export const CHUNK_TIMEOUT_MS = 120_000
/** A chart says that it waits for figures only when they take longer. */
export const CHART_LOADING_DELAY_MS = 500

/** IANA name; the installation's setting wins. */
export const DEFAULT_TIME_ZONE = 'Asia/Shanghai'

/** Characters of a message's HTML. */
export const MAX_MESSAGE_CONTENT = 100_000
/** Customers that one message names. */
export const MAX_CHOSEN_READERS = 500
/** What the drawer loads, and the most that the bell counts: it shows 99+ beyond. */
export const MESSAGE_DRAWER_LIMIT = 100
export const BELL_MAX = 99

/** Characters of one message of a work order. */
export const MAX_WORK_ORDER_TEXT = 5_000
/** Orders of one customer that are not closed; messages of one order. */
export const MAX_OPEN_WORK_ORDERS = 50
export const MAX_WORK_ORDER_MESSAGES = 500
export const MAX_QUICK_REPLIES = 200
/** Scheduled tasks: characters of an expression, seconds that a run may take, runs of one task that may wait, tries of a run that was lost. */
export const MAX_CRON = 100
export const MAX_TASK_TIMEOUT = 86_400
export const MAX_TASK_QUEUE = 10
export const MAX_RUN_ATTEMPTS = 3
/** Characters of a run's output that are kept. */
export const MAX_RUN_OUTPUT = 64_000
/** Characters of a license file. */
export const MAX_LICENSE_BYTES = 16_384
/** DNS blacklist: entries, lines that are typed at a time, lines and bytes of a file, characters of a line. */
export const MAX_BLACK_ENTRIES = 2_000_000
export const MAX_BLACK_LINES = 1_000
export const MAX_BLACK_FILE_LINES = 1_000_000
export const MAX_BLACK_FILE_BYTES = 64 * 1_048_576
export const MAX_BLACK_LINE = 4_096
