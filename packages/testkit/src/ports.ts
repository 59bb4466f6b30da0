/**
 * Ports for programs that have to be told theirs. They were free a moment ago; they are from the half of the range that the system gives
 * to who listens, not to outgoing connections, so it is unlikely that anybody takes them in between.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

const listening = async (host: string): Promise<Server> => {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  return server
}
const portOf = (server: Server): number => (server.address() as { port: number }).port
const ended = (server: Server) => new Promise((resolve) => server.close(resolve))

/** So many different TCP ports. */
export const freePorts = async (count: number, host = '127.0.0.1'): Promise<number[]> => {
  const servers = await Promise.all(Array.from({ length: count }, () => listening(host)))
  const ports = servers.map(portOf)
  await Promise.all(servers.map(ended))
  return ports
}

/** A port that is free for UDP, too, as name servers need it. */
export const freeDnsPort = async (host = '127.0.0.1'): Promise<number> => {
  const server = await listening(host)
  const port = portOf(server)
  const socket = createSocket('udp4')
  const free = await new Promise<boolean>((resolve) => {
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: host, exclusive: true }, () => resolve(true))
  })
  socket.close()
  await ended(server)
  return free ? port : freeDnsPort(host)
}
