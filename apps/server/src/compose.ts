/** The composition root: the only place where things are built and put together. */
import { join } from 'node:path'
import { operationById, operations } from '@tidegate/contract/operations/index'
import { BUILD } from './build.ts'
import { channelConfigs } from './channel-configs.ts'
import type { Context } from './context.ts'
import { doctorPart } from './doctor.ts'
import { type App, createApp } from './http/server.ts'
import { auditPart } from './modules/audit/index.ts'
import { createBackupModule } from './modules/backup/index.ts'
import { createBlackModule } from './modules/black/index.ts'
import type { Resolve } from './modules/cert/index.ts'
import { type CodePort, createCustomerModule } from './modules/customer/index.ts'
import { createExportModule } from './modules/export/index.ts'
import { type CaptchaGenerator, svgGenerator } from './modules/identity/captcha.ts'
import { createHasher, type Hasher } from './modules/identity/hasher.ts'
import { createIdentityModule, type IdentityModule } from './modules/identity/index.ts'
import type { SecurityEvent } from './modules/identity/places.ts'
import { WECHAT_ROOTS, type WechatRoots } from './modules/identity/wechat-api.ts'
import { createIngest, foreignRequests } from './modules/ingest/index.ts'
import { createLicenseModule } from './modules/license/index.ts'
import { createMessageModule, type MessageModule } from './modules/message/index.ts'
import { createMonitorModule, type MonitorModule } from './modules/monitor/index.ts'
import { createNotifyModule, type NotifyDeps, type NotifyModule } from './modules/notify/index.ts'
import { createRealNameModule, REAL_NAME_ROOTS, type RealNameRoots } from './modules/realname/index.ts'
import { createRelayModule } from './modules/relay/index.ts'
import { createScheduleModule, type ScheduleModule } from './modules/schedule/index.ts'
import { createSettingsModule, type SettingsModule } from './modules/settings/index.ts'
import { createToolsModule, createVariableStore, type VariableStore } from './modules/tools/index.ts'
import { createUploadModule, type UploadModule } from './modules/upload/index.ts'
import { createUsageModule } from './modules/usage/index.ts'
import { createWorkOrderModule } from './modules/workorder/index.ts'
import { customersCodes, intoMailbox, securityNotices } from './notice-ports.ts'
import { overviewPart } from './overview-part.ts'
import { createPlane, type Plane } from './plane.ts'
import type { AllHandlers } from './platform/caller.ts'
import { createLimiter } from './platform/limiter.ts'
import { pendingMigrations } from './platform/migrate.ts'
import type { Command, Part } from './platform/part.ts'
import { consoleTls } from './platform/tls.ts'
import { statsPart } from './stats-part.ts'
import { databaseState, systemPart } from './system-part.ts'
import { VERSION } from './version.ts'

export interface Built {
  context: Context
  identity: IdentityModule
  settings: SettingsModule
  upload: UploadModule
  notify: NotifyModule
  plane: Plane
  monitor: MonitorModule
  messages: MessageModule
  schedule: ScheduleModule
  variables: VariableStore
  parts: readonly Part[]
}

/** Where outside monitors fetch and bring: path of the operations `monitor.*`. */
const MONITOR_PATH = `/api/${operationById('monitor.results').path}`

export const MIGRATIONS = join(import.meta.dirname, '../migrations')

/** What tests look into or determine; the program itself replaces nothing. */
export interface Replacements {
  generateCaptcha?: CaptchaGenerator
  exportMaxRows?: number
  wrapHasher?: (hasher: Hasher) => Hasher
  /** Where mail servers and outside providers are. */
  peers?: NotifyDeps['peers'] & { wechat?: WechatRoots; realName?: RealNameRoots }
  notifySecurity?: (event: SecurityEvent) => void
  codes?: CodePort
  /** What DNS says of the names in an application for a certificate. */
  resolve?: Resolve
}

/** Builds the modules. */
export const buildParts = (context: Context, replace: Replacements = {}): Built => {
  const { env, clock, log, database, secrets } = context
  const { db } = database
  const variables = createVariableStore({
    ...{ db, bus: context.bus, log },
    defaults: { 'control.publicUrl': env.TIDEGATE_PUBLIC_URL ?? '', 'control.logLevel': env.TIDEGATE_LOG_LEVEL },
  })
  variables.onChange('control.logLevel', (level) => {
    log.level = level
  })
  const publicUrl = () => variables.get('control.publicUrl') || undefined
  const identity = createIdentityModule({
    db,
    clock,
    hasher: replace.wrapHasher?.(createHasher()) ?? createHasher(),
    secrets,
    captchaPolicy: env.TIDEGATE_LOGIN_CAPTCHA,
    loginConfig: () => settings.store.get('login'),
    oidcConfig: () => settings.store.get('oidc'),
    wechatConfig: async () => ((await settings.store.enabled('wechat')) ? settings.store.get('wechat') : null),
    wechatRoots: replace.peers?.wechat ?? WECHAT_ROOTS,
    registrationOpen: async () => !(await settings.store.get('register')).closed,
    log,
    publicUrl,
    notify: replace.notifySecurity ?? ((event) => security.tell(event)),
    tellWechat: (tx, change) => security.wechat(tx, change),
    generateCaptcha: replace.generateCaptcha ?? svgGenerator,
    adminPassword: env.TIDEGATE_ADMIN_PASSWORD,
  })
  const stats = statsPart(context, () => settings.timeZoneNow())
  const ingest = createIngest({
    pool: database.pool,
    clock,
    log,
    servedSites: (nodeId, sites) => plane.servedSites(nodeId, sites),
    onForeign: foreignRequests(context.metrics),
    onStored: stats.wake,
  })
  const plane: Plane = createPlane({
    ...context,
    ingest,
    mayAddDomains: (on, id) => customer.mayAddDomains(on, id),
    exchangeProbes: (nodeId, report) => monitor.exchange(nodeId, report),
    timeZone: () => settings.timeZoneNow(),
    publicUrl,
    answerSeconds: () => variables.get('control.answerSeconds'),
    tellOfCerts: (tx, notice) => notify.send(tx, notice),
    defaultLang: () => settings.defaultLang(),
    resolve: replace.resolve,
  })
  const settings = createSettingsModule({
    ...context,
    db,
    version: VERSION,
    captchaPolicy: env.TIDEGATE_LOGIN_CAPTCHA,
    consoleLimits: () => ({
      pollSeconds: variables.get('control.pollSeconds'),
      exportMaxRows: variables.get('control.exportMaxRows'),
      customersReadOnly: variables.get('control.customersReadOnly'),
    }),
    pushCounts: plane.publish.pushCounts,
    importUrl: ({ origin = '' }) => new URL(MONITOR_PATH, publicUrl() ?? origin).href,
    workOrderCount: (caller) => workOrders.waitingFor(caller),
  })
  const exporter = createExportModule({
    db,
    clock,
    log: context.log,
    lists: () => parts.flatMap((part) => part.exports ?? []),
    timeZone: () => settings.timeZoneNow(),
    diskLow: () => context.disk.state().low,
    fileOf: (id) => join(env.TIDEGATE_DATA, 'exports', `${id}.csv`),
    maxRows: () => replace.exportMaxRows ?? variables.get('control.exportMaxRows'),
  })
  const realNames = createRealNameModule({
    db,
    clock,
    log,
    secrets,
    config: async () => ({
      stored: await settings.store.get('identityApi'),
      enabled: await settings.store.enabled('identityApi'),
    }),
    roots: replace.peers?.realName ?? REAL_NAME_ROOTS,
    timeoutMs: replace.peers?.timeoutMs,
  })
  const customer = createCustomerModule({
    db,
    clock,
    log: context.log,
    secrets,
    identity: identity.forCustomers,
    codes: replace.codes ?? customersCodes(() => notify.codes),
    realNames,
    tellDisabled: (tx, id) => security.disabled(tx, id),
    tellPassword: (tx, who) => security.password(tx, who),
    rules: async () => ({ ...(await settings.store.get('register')), ...(await settings.store.get('verify')) }),
  })
  const messages = createMessageModule({ db, clock })
  const upload = createUploadModule({
    ...context,
    db,
    dataDir: env.TIDEGATE_DATA,
    storage: () => settings.store.get('storage'),
    inUse: {
      logo: settings.uploadsInUse,
      favicon: settings.uploadsInUse,
      message: messages.uploadsInUse,
      workOrder: (names) => workOrders.uploadsInUse(names),
    },
  })
  const relay = createRelayModule({
    db,
    linkedSite: async () => (await settings.store.get('flags')).otherSite,
    dnsApiRoot: () => settings.store.get('dnsApiRoot'),
  })
  const notify = createNotifyModule({
    configs: channelConfigs(settings.store),
    db,
    clock,
    log: context.log,
    secrets,
    defaultLang: settings.defaultLang,
    siteName: async () => (await settings.store.get('web')).basic.webName,
    peers: replace.peers,
    postMessage: intoMailbox(messages),
  })
  const workOrders = createWorkOrderModule({
    db,
    clock,
    notify: notify.send,
    ownUploads: (tx, names, caller) => upload.owned(tx, names, 'workOrder', caller),
  })
  const security = securityNotices({ db, clock, log, send: notify.send, timeZone: settings.timeZoneNow })
  const monitor = createMonitorModule({
    db,
    clock,
    log,
    config: () => settings.store.get('dispatch'),
    tokenMatches: settings.isMonitorToken,
    tell: notify.send,
    timeZone: settings.timeZoneNow,
  })
  const schedule = createScheduleModule({
    db,
    clock,
    log,
    kinds: () => parts.flatMap((part) => part.tasks ?? []),
    timeZone: settings.timeZoneNow,
    defaultLang: settings.defaultLang,
    tellFailure: (tx, vars, dedupKey) =>
      notify.send(tx, { event: 'task_failed', to: { operator: true }, vars, dedupKey }),
  })
  const usage = createUsageModule({
    db,
    pool: database.pool,
    clock,
    timeZone: settings.timeZoneNow,
    store: stats.store,
    sampledSince: async (from) => !(await variables.untouchedSince('node.logPercent', new Date(from * 1000))),
    siteNames: plane.site.firstDomains,
    tell: (tx, vars, dedupKey) => notify.send(tx, { event: 'figures_differ', to: { operator: true }, vars, dedupKey }),
  })
  const backup = createBackupModule({
    ...context,
    db,
    version: VERSION,
    migrations: MIGRATIONS,
    proof: () => identity.ownerProof,
    nextOf: schedule.nextOf,
  })
  const license = createLicenseModule({
    db,
    clock,
    keys: env.TIDEGATE_LICENSE_KEYS,
    product: { version: VERSION, commit: BUILD.commit, built: BUILD.time },
    counts: {
      nodes: async () => {
        const nodes = await plane.node.summaries()
        return { used: nodes.length, active: nodes.filter((node) => node.state === 'online').length }
      },
      sites: async () => {
        const { total, enabled } = await plane.site.counts()
        return { used: total, active: enabled }
      },
      customers: customer.counts,
    },
    database: () => databaseState(context),
    disk: () => context.disk.state(),
  })
  const black = createBlackModule({
    db,
    clock,
    config: () => settings.store.get('dnsBlack'),
    dir: join(env.TIDEGATE_DATA, 'dns-black'),
  })
  const tools = createToolsModule({
    db,
    limiter: createLimiter(clock),
    nodes: async () =>
      (await plane.node.summaries()).map(({ id, name, groupName, state }) => ({ id, name, groupName, state })),
    ask: plane.node.questions.ask,
    withConfigChange: plane.publish.withConfigChange,
    variables,
  })
  const parts: Part[] = [
    identity,
    customer,
    realNames,
    auditPart(db),
    messages,
    workOrders,
    settings,
    upload,
    relay,
    systemPart(context, { settings, uploads: upload, agentUrl: plane.agentUrl, publicUrl }),
    notify,
    plane.part,
    monitor,
    stats,
    exporter,
    schedule,
    usage,
    backup,
    license,
    black,
    tools,
    overviewPart(context, plane, {
      timeZone: () => settings.timeZoneNow(),
      standing: customer.standing,
      failingNodes: monitor.failingNodes,
      figures: usage.figures,
    }),
    doctorPart(context, ({ database: { pool } }) => pendingMigrations(pool, MIGRATIONS)),
  ]
  return { context, identity, settings, upload, notify, plane, monitor, messages, schedule, variables, parts }
}

/** All parts' handlers; throws when an operation has none, or two. */
export const mergeHandlers = (parts: readonly Part[]): AllHandlers => {
  const all: Partial<AllHandlers> = {}
  for (const part of parts)
    for (const id of Object.keys(part.handlers ?? {}))
      if (id in all) throw new Error(`operation ${id} has two handlers`)
      else Object.assign(all, { [id]: part.handlers?.[id as keyof AllHandlers] })
  const missing = operations.filter((op) => !(op.id in all)).map((op) => op.id)
  if (missing.length > 0) throw new Error(`operations without a handler: ${missing.join(', ')}`)
  return all as AllHandlers
}

/** The HTTP server over the built parts. */
export const buildApp = async (built: Built, migrations = MIGRATIONS): Promise<App> => {
  const { env, log, database, disk, metrics } = built.context
  return createApp({
    log,
    version: VERSION,
    handlers: mergeHandlers(built.parts),
    authenticate: built.identity.authenticate,
    isMonitor: built.monitor.isMonitor,
    defaultLang: built.settings.defaultLang,
    readUpload: built.upload.read,
    features: built.settings.features,
    diskLow: () => disk.state().low,
    customersReadOnly: () => built.variables.get('control.customersReadOnly'),
    consoleDir: env.TIDEGATE_CONSOLE_DIR,
    trustedProxies: env.TIDEGATE_TRUSTED_PROXIES.split(',')
      .map((t) => t.trim())
      .filter((t) => t !== ''),
    tls: await consoleTls(env, log),
    metrics,
    metricsToken: env.TIDEGATE_METRICS_TOKEN,
    checks: [
      {
        name: 'database',
        run: async () => ((await database.pool.query('SELECT 1')).rowCount === 1 ? null : 'no answer'),
      },
      { name: 'migrations', run: () => pendingMigrations(database.pool, migrations) },
      ...built.parts.flatMap((part) => (part.ready ? [{ name: part.name, run: part.ready }] : [])),
    ],
  })
}

/** All parts' subcommands. */
export const commandsOf = (parts: readonly Part[]): Record<string, Command> =>
  Object.assign({}, ...parts.map((part) => part.commands ?? {}))
