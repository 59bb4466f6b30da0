/** Addresses an account may be used from, and networks that it was used from. */
import { browserOf } from '@tidegate/contract/user-agent'
import ipaddr from 'ipaddr.js'

/** Whether an address is one of these addresses and networks. An empty list has none. */
export const addressIn = (ip: string, list: readonly string[]): boolean => {
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return list.some((entry) => {
    const [network, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : whole(entry)
    return address.kind() === network.kind() && address.match(network, bits)
  })
}

const whole = (entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** The /24 or /48 an address belongs to: people's addresses change within it. */
export const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  const v4 = address.kind() === 'ipv4'
  const text = `${address.toString()}/${v4 ? 24 : 48}`
  const base = v4 ? ipaddr.IPv4.networkAddressFromCIDR(text) : ipaddr.IPv6.networkAddressFromCIDR(text)
  return `${base.toString()}/${v4 ? 24 : 48}`
}

/** A browser's family without its version; else the first word of the user agent. */
export const agentFamily = (userAgent: string): string =>
  (browserOf(userAgent) ?? userAgent.split(/[\s/]/)[0] ?? '').toLowerCase().slice(0, 40)
