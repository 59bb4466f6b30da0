/** Headers that end between client, hops and origin. */

/** Headers of an answer that end at this hop: what the hops tell each other, and what would steer nginx. */
const HIDDEN = [
  'Tg-Cache-Control',
  'Tg-Cookie',
  'Tg-From',
  'Tg-Pass',
  'Tg-Vary',
  'Tg-Why',
  'X-Accel-Buffering',
  'X-Accel-Charset',
  'X-Accel-Expires',
  'X-Accel-Limit-Rate',
  'X-Accel-Redirect',
]

/**
 * Headers of a request that make some origins answer for another address, name or method. They are not in the cache key, so that one
 * visitor's word would become everybody's answer: they end here, or say what is so.
 */
const UNKEYED = [
  'Forwarded',
  'Proxy',
  'X-Forwarded-Prefix',
  'X-Forwarded-Scheme',
  'X-Forwarded-Server',
  'X-Host',
  'X-Original-Host',
  'X-Original-URL',
  'X-Rewrite-URL',
]
/** These are honest in a request that passes the cache. */
const METHOD_OVERRIDES = ['X-HTTP-Method', 'X-HTTP-Method-Override', 'X-Method-Override']
const variableOf = (header: string) => header.toLowerCase().replaceAll('-', '_')

/** Settings of the outer hop: what of a request does not go on. */
export function unkeyed(): string {
  return [
    ...UNKEYED.map((name) => `  proxy_set_header ${name} "";`),
    ...METHOD_OVERRIDES.map((name) => `  proxy_set_header ${name} $tg_${variableOf(name)};`),
  ].join('\n')
}

/** Settings of both hops: what of an answer does not go on. */
export function hidden(): string {
  return HIDDEN.map((name) => `  proxy_hide_header ${name};`).join('\n')
}

/** Maps of the variables that `unkeyed()` names: empty unless the request passes the cache. */
export function methodOverrides(): string {
  const map = (name: string) => `map $tg_pass $tg_${variableOf(name)} { default $http_${variableOf(name)}; "" ""; }`
  return METHOD_OVERRIDES.map(map).join('\n')
}
