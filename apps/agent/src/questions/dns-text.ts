/** The data of a DNS record as text, as it would stand in a zone file (RFC 1035, 5.1). */
import type { Answer } from 'dns-packet'

type Part = string | number | Buffer

const quoted = (text: Part): string => `"${[...Buffer.from(text as string)].map((byte) => character(byte)).join('')}"`
const character = (byte: number): string => {
  const sign = String.fromCharCode(byte)
  if (sign === '"' || sign === '\\') return `\\${sign}`
  return byte >= 32 && byte < 127 ? sign : `\\${String(byte).padStart(3, '0')}`
}
const dotted = (name: string): string => (name === '.' || name === '' ? '.' : `${name}.`)

/** Types that are not known here are shown as unknown ones are written (RFC 3597, 5). */
export const recordData = (answer: Answer): string => {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return answer.data
    case 'CNAME':
    case 'DNAME':
    case 'NS':
    case 'PTR':
      return dotted(answer.data)
    case 'MX':
      return `${answer.data.preference ?? 0} ${dotted(answer.data.exchange)}`
    case 'SRV':
      return `${answer.data.priority ?? 0} ${answer.data.weight ?? 0} ${answer.data.port} ${dotted(answer.data.target)}`
    case 'TXT':
      return [answer.data].flat().map(quoted).join(' ')
    case 'CAA':
      return `${answer.data.flags ?? 0} ${answer.data.tag} ${quoted(answer.data.value)}`
    case 'SOA': {
      const { mname, rname, serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0 } = answer.data
      return `${dotted(mname)} ${dotted(rname)} ${serial} ${refresh} ${retry} ${expire} ${minimum}`
    }
    default: {
      const data: unknown = 'data' in answer ? answer.data : undefined
      return Buffer.isBuffer(data) ? `\\# ${data.length} ${data.toString('hex')}` : JSON.stringify(data ?? '')
    }
  }
}
