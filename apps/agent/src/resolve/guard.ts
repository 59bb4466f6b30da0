/** Which origins may be reached: public addresses always, private and loopback ones only where the operator allows them. */
import { isIP } from 'node:net'
import type { OriginServer, SiteConfig } from '@tidegate/contract/node/config'
import ipaddr from 'ipaddr.js'

export type Allowances = Readonly<{
  all: boolean
  cidrs: ReadonlyArray<[ipaddr.IPv4 | ipaddr.IPv6, number]>
  /** "host:port" in lower case, IPv6 hosts without brackets. */
  hostPorts: ReadonlySet<string>
}>

/** Old clothes of an IPv4 address (RFC 4291, 2.5.5.1), which the library takes for unicast. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96')

/** Reads settings.allowedPrivateOrigins. Entries that are neither `*`, CIDR, address nor host:port allow nothing. */
export function parseAllowances(entries: readonly string[]): Allowances {
  const cidrs: Array<[ipaddr.IPv4 | ipaddr.IPv6, number]> = []
  const hostPorts = new Set<string>()
  for (const entry of entries) {
    const hostPort = /^(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(entry)
    if (hostPort !== null) hostPorts.add(`${(hostPort[1] ?? hostPort[2] ?? '').toLowerCase()}:${Number(hostPort[3])}`)
    else if (ipaddr.isValidCIDR(entry)) cidrs.push(ipaddr.parseCIDR(entry))
  }
  return { all: entries.includes('*'), cidrs, hostPorts }
}

/** Whether an address is anything but public unicast, e.g. private, loopback, link-local, or one of those mapped into IPv6. */
export function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 0) return true
  const plain = ipaddr.process(address)
  return plain.range() !== 'unicast' || (plain.kind() === 'ipv6' && plain.match(IPV4_COMPATIBLE))
}

function inCidr(address: string, [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  const parsed = ipaddr.process(address)
  return parsed.kind() === network.kind() && parsed.match(network, bits)
}

/** The ports on which the engine may connect to a server of this site. */
function portsInUse(site: SiteConfig, server: OriginServer): number[] {
  if (site.origin.protocol === 'http') return [server.httpPort]
  if (site.origin.protocol === 'https') return [server.httpsPort]
  return [server.httpPort, server.httpsPort]
}

/** Whether anything may be reached at `address` and `port`, known as `host`: at a private address only what is allowed. */
export function mayReach(allowed: Allowances, host: string, address: string, port: number): boolean {
  if (allowed.all || !isPrivateAddress(address)) return true
  if (isIP(address) === 0) return false
  if (allowed.cidrs.some((cidr) => inCidr(address, cidr))) return true
  const names = [host.toLowerCase().replace(/^\[|\]$/g, ''), address]
  return names.some((name) => allowed.hostPorts.has(`${name}:${port}`))
}

/** Whether the engine may connect to `address` for this server. A host:port allowance must name every port in use. */
export function mayConnect(allowed: Allowances, site: SiteConfig, server: OriginServer, address: string): boolean {
  return portsInUse(site, server).every((port) => mayReach(allowed, server.host, address, port))
}
