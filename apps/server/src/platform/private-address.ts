/** Addresses that only make sense inside a network of one's own. */
import ipaddr from 'ipaddr.js'

/** Old clothes of an IPv4 address (RFC 4291, 2.5.5.1), which the library takes for unicast. */
const IPV4_COMPATIBLE = ipaddr.parseCIDR('::/96')

/** Whether the host is a literal that is not a public unicast address, or the loopback's name. Other names must be resolved to be judged. */
export const isPrivateHost = (host: string): boolean => {
  if (/(^|\.)localhost$/.test(host)) return true
  if (!ipaddr.isValid(host)) return false
  // IPv4 in IPv6 clothes is judged as IPv4.
  const plain = ipaddr.process(host)
  return plain.range() !== 'unicast' || (plain.kind() === 'ipv6' && plain.match(IPV4_COMPATIBLE))
}
