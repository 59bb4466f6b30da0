/** The only ways by which a value gets into nginx.conf. */

/**
 * A value as one quoted word of nginx.conf. nginx has no way to write a `$` that is not a variable, nor a control
 * character, so those are refused.
 */
export function nginxQuote(value: string): string {
  for (const char of value) {
    const code = char.codePointAt(0)!
    if (char === '$' || code < 0x20 || code === 0x7f || (code >= 0xd800 && code <= 0xdfff)) {
      throw new Error(`cannot be written in nginx.conf: ${JSON.stringify(value)}`)
    }
  }
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

/** A string of Lua inside a `*_by_lua_block`: every byte beyond plain letters, digits and `_-./:` as a decimal escape. */
export function luaQuote(value: string): string {
  let quoted = ''
  for (const byte of new TextEncoder().encode(value)) {
    const char = String.fromCharCode(byte)
    quoted += /[A-Za-z0-9_./:-]/.test(char) ? char : `\\${String(byte).padStart(3, '0')}`
  }
  return `"${quoted}"`
}

/** A Lua search path out of directories. `;` and `?` have a meaning in it that cannot be quoted. */
export function luaSearchPath(dirs: string[], suffix: string): string {
  for (const dir of dirs) {
    if (/[;?]/.test(dir)) throw new Error(`cannot be in a Lua search path: ${JSON.stringify(dir)}`)
  }
  return nginxQuote(dirs.map((dir) => `${dir}/?${suffix}`).join(';'))
}
