/** Which origins a site may name: addresses that only make sense inside the operator's own network are refused unless allowed. */
import type { OriginServer } from '@tidegate/contract/node/config'
import ipaddr from 'ipaddr.js'

/** The ports that the edge would use, by the site's origin protocol. */
export const portsInUse = (protocol: string, origin: OriginServer): number[] => {
  if (protocol === 'http') return [origin.httpPort]
  if (protocol === 'https') return [origin.httpsPort]
  return [origin.httpPort, origin.httpsPort]
}

/** `allowed`: `host:port` (IPv6 in brackets), CIDR, or `*`. */
export const isAllowed = (allowed: readonly string[], host: string, ports: number[]): boolean => {
  const shown = host.includes(':') ? `[${host}]` : host
  return (
    allowed.includes('*') || inSomeCidr(allowed, host) || ports.every((port) => allowed.includes(`${shown}:${port}`))
  )
}

const inSomeCidr = (allowed: readonly string[], host: string): boolean => {
  if (!ipaddr.isValid(host)) return false
  const address = ipaddr.process(host)
  return allowed.some((entry) => {
    if (!ipaddr.isValidCIDR(entry)) return false
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}
