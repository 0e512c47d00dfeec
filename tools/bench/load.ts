// A process that keeps connections busy with prepared requests and counts the responses. It speaks just enough HTTP to cost
// little beside the server that it measures.
import { connect } from 'node:net'

/** The process's input and its report. */
export interface LoadOrder {
  readonly port: number
  /** The request's bytes, as text; several are sent in turn. */
  readonly request: string | readonly string[]
  /** Text that every response must contain. Omit it when the status is enough. */
  readonly expected?: string
  readonly connections: number
  readonly milliseconds: number
}
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

async function run(order: LoadOrder): Promise<LoadReport> {
  let [responses, failed, sent] = [0, 0, 0]
  let failure: string | undefined
  const requests = [order.request].flat()
  const next = () => requests[sent++ % requests.length] ?? ''
  const started = performance.now()
  const until = started + order.milliseconds
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(order.port, '127.0.0.1')
      socket.setNoDelay(true)
      let received = ''
      socket.on('connect', () => socket.write(next()))
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1]
        if (length === undefined) return reject(new Error(`no content-length: ${received.slice(0, head)}`))
        if (received.length < head + 4 + Number(length)) return
        responses += 1
        if (!received.startsWith('HTTP/1.1 200') || !received.includes(order.expected ?? '')) {
          failed += 1
          failure ??= received
        }
        received = ''
        if (performance.now() < until) {
          socket.write(next())
        } else {
          socket.destroy()
          resolve()
        }
      })
    })
  await Promise.all(Array.from({ length: order.connections }, one))
  return {
    responses,
    failed,
    ...(failure !== undefined && { failure }),
    seconds: (performance.now() - started) / 1000,
  }
}
