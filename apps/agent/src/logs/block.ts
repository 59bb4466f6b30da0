/** The engine's log protocol: blocks of whole lines, each with a head `#<worker> <seq> <bytes> <dropped>` (edge/README.md). */
export type Block = Readonly<{
  /** 32 hex digits, new at each start of a worker. */
  worker: string
  /** 1, 2, 3, ... per worker; the same number again is the same block again. */
  seq: number
  /** Lines that the worker had to drop since its last acknowledged block. */
  dropped: number
  text: string
}>

const HEAD = /^#([0-9a-f]{32}) (\d{1,15}) (\d{1,9}) (\d{1,15})$/
const LONGEST_HEAD = 128
/** The protocol allows 1 MiB; a little more does no harm, much more is no peer of ours. */
const LARGEST_BLOCK = 2 * 1024 * 1024
const NEWLINE = 10

type Head = Readonly<{ worker: string; seq: number; bytes: number; dropped: number }>

function parseHead(line: string): Head {
  const found = HEAD.exec(line)
  if (found === null) throw new Error('malformed head of a log block')
  const [, worker = '', seq, bytes, dropped] = found
  const head = { worker, seq: Number(seq), bytes: Number(bytes), dropped: Number(dropped) }
  if (head.bytes > LARGEST_BLOCK) throw new Error(`log block of ${head.bytes} bytes`)
  return head
}

/** Yields the blocks of one connection; a block cut off by its end is dropped. Throws on what is not the protocol. */
export async function* readBlocks(source: AsyncIterable<Buffer>): AsyncGenerator<Block> {
  let head: Head | undefined
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of source) {
    parts.push(chunk)
    size += chunk.length
    // Large blocks come in many chunks: they are put together once, when the last one is there.
    if (head !== undefined && size < head.bytes) continue
    let rest: Buffer = parts.length === 1 ? chunk : Buffer.concat(parts)
    for (;;) {
      if (head === undefined) {
        const end = rest.indexOf(NEWLINE)
        if (end > LONGEST_HEAD || (end < 0 && rest.length > LONGEST_HEAD))
          throw new Error('head of a log block too long')
        if (end < 0) break
        head = parseHead(rest.toString('latin1', 0, end))
        rest = rest.subarray(end + 1)
      }
      if (rest.length < head.bytes) break
      const { worker, seq, dropped, bytes } = head
      yield { worker, seq, dropped, text: rest.toString('utf8', 0, bytes) }
      rest = rest.subarray(bytes)
      head = undefined
    }
    parts = rest.length === 0 ? [] : [rest]
    size = rest.length
  }
}
