// A process that keeps connections busy with prepared requests and counts the responses. It speaks just
// enough HTTP to cost little beside the server that it measures.
import { connect } from 'node:net'
import { runLanes } from './statistics.ts'

/** The process's input. */
export interface LoadOrder {
  readonly port: number
  /** Requests as bytes. They are sent in turn. */
  readonly requests: readonly string[]
  /** Text that every response must contain. Omit it when the status is enough. */
  readonly expected?: string
  readonly connections: number
  readonly milliseconds: number
}

/** The process's output. */
export interface LoadReport {
  readonly responses: number
  /** Responses that are not 200, or lack the expected text. */
  readonly failed: number
  /** The first of the failed responses. */
  readonly failure?: string
  readonly seconds: number
}

process.on('message', (order: LoadOrder) => {
  run(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit())

async function run({ port, requests, expected = '', ...order }: LoadOrder): Promise<LoadReport> {
  let responses = 0
  let failed = 0
  let sent = 0
  let failure: string | undefined
  const startedAt = performance.now()
  const getNext = () => requests[sent++ % requests.length] ?? ''
  const handle = (response: string) => {
    responses += 1
    if (!response.startsWith('HTTP/1.1 200') || !response.includes(expected)) {
      failed += 1
      failure ??= response
    }
    return performance.now() < startedAt + order.milliseconds
  }
  await runLanes(order.connections, () => keepBusy(port, getNext, handle))
  const seconds = (performance.now() - startedAt) / 1000
  return { responses, failed, seconds, ...(failure !== undefined && { failure }) }
}

/** Sends one request after the other on a connection, until `handle` returns false for a response. */
function keepBusy(port: number, getNext: () => string, handle: (response: string) => boolean): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let received = ''
    socket.on('connect', () => socket.write(getNext()))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1]
      if (length === undefined) return reject(new Error(`no content-length: ${received.slice(0, head)}`))
      if (received.length < head + 4 + Number(length)) return
      const response = received
      received = ''
      if (handle(response)) return socket.write(getNext())
      socket.destroy()
      resolve()
    })
  })
}
