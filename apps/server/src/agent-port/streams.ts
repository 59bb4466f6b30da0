/** The nodes' streams. A published revision is one line for all nodes of its scope; no query is made for any of them. */
import type { ServerResponse } from 'node:http'
import type { StreamEvent } from '@tidegate/contract/node/protocol'
import type { AgentNode, AgentPortDeps } from './deps.ts'

const PING_MS = 15_000
/** A peer that reads nothing while so much waits is cut off; it comes back by itself. */
const MAX_WAITING_BYTES = 65_536

export interface Streams {
  /** Answers with a stream that stays open; an older one of the same node ends. */
  open(node: AgentNode, response: ServerResponse): Promise<void>
  size(): number
  close(): void
}

interface Stream {
  node: AgentNode
  response: ServerResponse
  /** Revision told last; -1 = none yet. */
  told: number
}

const line = (event: StreamEvent) => `${JSON.stringify(event)}\n`

export const createStreams = ({ deltas, acks, auth, clock, log, questions }: AgentPortDeps): Streams => {
  const byNode = new Map<number, Stream>()
  const byScope = new Map<string, Set<Stream>>()

  const remove = (stream: Stream) => {
    if (byNode.get(stream.node.id) === stream) byNode.delete(stream.node.id)
    byScope.get(stream.node.scope)?.delete(stream)
  }
  const end = (stream: Stream) => {
    remove(stream)
    stream.response.end()
  }
  const send = (stream: Stream, text: string) => {
    if (stream.response.writableLength <= MAX_WAITING_BYTES) return void stream.response.write(text)
    remove(stream)
    stream.response.destroy()
  }
  const tell = (stream: Stream, revision: number, text: string) => {
    acks.sent(stream.node.id, revision)
    stream.told = Math.max(stream.told, revision)
    send(stream, text)
  }
  const ask = async (nodeId: number, id: string) => {
    if (!byNode.has(nodeId)) return
    const question = await questions.read(nodeId, id)
    const stream = byNode.get(nodeId)
    if (question && stream) send(stream, line({ type: 'question', ...question }))
  }
  const event = (scope: string, revision: number) => line({ type: 'revision', scope, revision })
  const undo = [
    deltas.onPublished((scope, revision) => {
      const text = event(scope, revision)
      for (const stream of byScope.get(scope) ?? []) tell(stream, revision, text)
    }),
    questions.onAsked((nodeId, id) => {
      ask(nodeId, id).catch((error: unknown) => log.warn({ err: error, nodeId }, 'a question could not be told'))
    }),
    auth.onChange((nodeId) => {
      const stream = byNode.get(nodeId)
      if (stream) end(stream)
    }),
  ]
  const pings = setInterval(() => {
    const text = line({ type: 'ping', time: clock.now() })
    for (const stream of byNode.values()) send(stream, text)
  }, PING_MS)

  return {
    open: async (node, response) => {
      const older = byNode.get(node.id)
      if (older) end(older)
      const stream: Stream = { node, response, told: -1 }
      byNode.set(node.id, stream)
      const scope = byScope.get(node.scope) ?? new Set()
      byScope.set(node.scope, scope.add(stream))
      response.on('close', () => remove(stream))
      response.on('error', () => remove(stream))
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
      response.flushHeaders()
      const revision = await deltas.latest(node.scope)
      // A revision that was published meanwhile has been told already.
      if (stream.told < revision) tell(stream, revision, event(node.scope, revision))
    },
    size: () => byNode.size,
    close: () => {
      clearInterval(pings)
      for (const off of undo) off()
      for (const stream of [...byNode.values()]) end(stream)
    },
  }
}
