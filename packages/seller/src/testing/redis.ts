import { once } from 'node:events'
import { connect } from 'node:net'
import type { SendCommand } from '../stores/redis-store.ts'

/** Connects to Redis by a socket's path, for commands whose replies are texts, numbers or nothing. */
export async function openRedis(path: string): Promise<{ send: SendCommand; close(): void }> {
  const socket = connect(path)
  await once(socket, 'connect')
  const waiting: PromiseWithResolvers<unknown>[] = []
  let received = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    for (let reply = readReply(received); reply !== undefined; reply = readReply(received)) {
      received = received.subarray(reply.length)
      if (reply.value instanceof Error) waiting.shift()?.reject(reply.value)
      else waiting.shift()?.resolve(reply.value)
    }
  })
  return {
    send(command) {
      const reply = Promise.withResolvers<unknown>()
      waiting.push(reply)
      const parts = command.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`)
      socket.write(`*${parts.length}\r\n${parts.join('')}`)
      return reply.promise
    },
    close: () => void socket.destroy(),
  }
}

/** Reads the first reply, or returns undefined if it is not complete. */
function readReply(bytes: Buffer): { value: unknown; length: number } | undefined {
  const end = bytes.indexOf('\r\n')
  if (end < 0) return undefined
  const type = bytes.toString('latin1', 0, 1)
  const line = bytes.toString('utf8', 1, end)
  const length = end + 2
  if (type === ':') return { value: Number(line), length }
  if (type === '+') return { value: line, length }
  if (type === '-') return { value: new Error(line), length }
  if (type !== '$') throw new Error(`Redis sent an unexpected reply: ${type}${line}`)
  const size = Number(line)
  if (size < 0) return { value: null, length }
  if (bytes.length < length + size + 2) return undefined
  return { value: bytes.toString('utf8', length, length + size), length: length + size + 2 }
}
