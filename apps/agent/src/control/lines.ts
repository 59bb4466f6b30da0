/** Splits a stream of bytes into lines. Unlike node:readline it rejects when the stream breaks, and a line's length is bounded. */
const NEWLINE = 10

/** Yields each line without its newline; a last line without newline is dropped. Throws when a line exceeds `maxBytes`. */
export async function* readLines(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (let end = rest.indexOf(NEWLINE, from); end >= 0; end = rest.indexOf(NEWLINE, from)) {
      yield rest.toString('utf8', from, end)
      from = end + 1
    }
    rest = rest.subarray(from)
    if (rest.length > maxBytes) throw new Error(`line longer than ${maxBytes} bytes`)
  }
}
