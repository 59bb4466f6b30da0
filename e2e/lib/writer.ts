/** An administrator who saves sites all the time and writes down, outside the system, what was acknowledged. */
import { type Api, ApiError } from './api.ts'
import type { Origin } from './origin.ts'
import type { Random } from './random.ts'
import type { KnownSite } from './traffic.ts'
import { waitFor } from './wait.ts'

export interface SavedSite {
  id: number
  domain: string
  /** Marker of the origin that was acknowledged last. */
  marker: string
  version: number
  /** Revision of the last acknowledged save. */
  revision: number
  scope: string
}

interface Entry extends SavedSite, KnownSite {
  /** The acknowledged origin, that of a save under way, and the ones before until the node has moved. */
  markers: Set<string>
  saving: boolean
  live: boolean
  events: string[]
}

/** Events kept of a site. */
const EVENTS = 12

export interface Writer {
  /** The ledger: every site with an acknowledged save. */
  sites(): readonly SavedSite[]
  /** Sites whose first revision is live, for visitors. */
  known(): readonly KnownSite[]
  acknowledged(): number
  /** Saves without a success: how often, by error. */
  refusals(): ReadonlyMap<string, number>
  /** Resolves once this many more saves were acknowledged. */
  more(saves: number, limitMs?: number): Promise<void>
  /** Ends after a save that was acknowledged, so that the ledger says exactly what must be. */
  stop(): Promise<void>
}

export interface WriterOptions {
  api: Api
  origins: readonly Origin[]
  random: Random
  /** Domains are `s<n>.<zone>`. */
  zone: string
  mostSites: number
  /** Revision that the node runs, from the node itself. */
  nodeRevision: () => number
}

/** Waits between tries, for a control plane that is away for a moment. */
const RETRY_MS = 50

export function startWriter(options: WriterOptions): Writer {
  const { api, origins, random, zone, mostSites, nodeRevision } = options
  const ledger: Entry[] = []
  const refusals = new Map<string, number>()
  let acknowledged = 0
  let going = true

  /** One save, repeated until the control plane says yes: what a person does with a form that failed. */
  async function insist(save: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await save()
        acknowledged++
        return
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        const key = `${error.status} ${error.body.error ?? ''}`
        refusals.set(key, (refusals.get(key) ?? 0) + 1)
        if (error.status !== 0 && error.status !== 503) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  async function add(): Promise<void> {
    const domain = `s${ledger.length + 1}.${zone}`
    const origin = random.pick(origins)
    let tries = 0
    await insist(async () => {
      // A save whose answer was lost may have been carried out: then the site is there already and is saved over.
      const existing = tries++ === 0 ? undefined : await find(api, domain)
      const input = inputOf(domain, origin, existing)
      const saved = await api.call('site.save', input)
      ledger.push({
        id: saved.id,
        domain,
        marker: origin.marker,
        version: saved.version,
        ...saved.push,
        // The save before, should there have been one, may have been carried out with this very origin only.
        markers: new Set([origin.marker]),
        saving: false,
        live: false,
        events: [],
        history() {
          return this.events.join('; ')
        },
        mayAnswer() {
          return new Set(settle(this).markers)
        },
      })
    })
  }

  /** Once the node runs the acknowledged revision, the origins before must not answer any more. */
  function settle(site: Entry): Entry {
    const node = nodeRevision()
    if (site.saving || node < site.revision) return site
    if (!site.live || site.markers.size > 1) note(site, `live at ${node}`)
    site.live = true
    site.markers = new Set([site.marker])
    return site
  }

  async function move(): Promise<void> {
    const site = random.pick(ledger)
    const origin = random.pick(origins)
    site.saving = true
    site.markers.add(origin.marker)
    note(site, `saving ${origin.marker}`)
    await insist(async () => {
      const saved = await api.call('site.save', inputOf(site.domain, origin, site.id))
      Object.assign(site, { marker: origin.marker, version: saved.version, ...saved.push, saving: false })
      note(site, `${origin.marker} acknowledged as version ${saved.version}, revision ${saved.push.revision}`)
    })
  }

  const running = (async () => {
    while (going) await (ledger.length < mostSites ? add() : move())
  })()
  // Whoever stops the writer hears of its failure; until then it must not end the test run.
  running.catch(() => {})

  return {
    sites: () => ledger,
    known: () => ledger.filter((site) => settle(site).live),
    acknowledged: () => acknowledged,
    refusals: () => refusals,
    async more(saves, limitMs = 30_000) {
      const goal = acknowledged + saves
      await Promise.race([
        waitFor(
          () => acknowledged >= goal,
          () => `${saves} more saves; refused so far: ${JSON.stringify([...refusals])}`,
          limitMs,
        ),
        running,
      ])
    },
    async stop() {
      going = false
      await running
    },
  }
}

const note = (site: Entry, text: string): void => {
  site.events = [...site.events.slice(1 - EVENTS), `${Math.round(performance.now())} ${text}`]
}

const inputOf = (domain: string, origin: Origin, id: number | undefined) => ({
  ...(id === undefined ? {} : { id }),
  domains: [domain],
  originProtocol: 'http' as const,
  origins: [{ host: origin.host, port: origin.port }],
  remark: origin.marker,
})

async function find(api: Api, domain: string): Promise<number | undefined> {
  const { data } = await api.call('site.list', { key: domain })
  return data.list.find((site) => site.domains.includes(domain))?.id
}
