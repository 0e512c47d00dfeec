// A process with open streams of events. It searches their text for the time of each change, which costs less
// than parsing it.
import { events } from '@mintmark/events'
import { createGateway, type GatewayClient } from '@mintmark/transport'
import { median, percentile } from './statistics.ts'

/** The process's first input: the streams to open. It sends `'open'` when all of them receive. */
export interface ReadersOrder {
  readonly baseUrl: string
  readonly projects: readonly { readonly apiKey: string; readonly secret: string }[]
  readonly streamsPerProject: number
}

/**
 * A later input: the number of events of each project. When all streams have received them, the process sends
 * a report.
 */
export interface ReadersTarget {
  readonly events: number
}

/** Milliseconds from a change to its arrival. */
export interface ReadersReport {
  readonly deliveries: number
  readonly median: number
  readonly p99: number
  readonly max: number
}

/** The name of a wallet is the time of its change. Each event has one. */
const NAME = '"name":"'
const TIME_DIGITS = 13

class Reader {
  received = 0
  milliseconds: number[] = []
  readonly #client: GatewayClient

  constructor(client: GatewayClient) {
    this.#client = client
  }

  async run(onReceive: () => void): Promise<never> {
    const { data } = await this.#client.call(events.stream, {})
    // The body of a stream.
    const body = data as ReadableStream<Uint8Array>
    let rest = ''
    for await (const chunk of body) {
      const now = Date.now()
      const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      let end = 0
      for (let at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, end)) {
        const start = at + NAME.length
        // A chunk can end within an event.
        if (start + TIME_DIGITS > text.length) break
        end = start + TIME_DIGITS
        this.milliseconds.push(now - Number(text.slice(start, end)))
        this.received += 1
      }
      rest = text.slice(Math.max(end, text.length - NAME.length - TIME_DIGITS))
      onReceive()
    }
    throw new Error('A stream ended')
  }
}

const readers: Reader[] = []
let target: number | undefined
let opened = 0

function report(): void {
  if (target === undefined || readers.some(({ received }) => received !== target)) return
  target = undefined
  const milliseconds = readers.flatMap((reader) => reader.milliseconds)
  for (const reader of readers) reader.milliseconds = []
  process.send?.({
    deliveries: milliseconds.length,
    median: median(milliseconds),
    p99: percentile(milliseconds, 0.99),
    max: percentile(milliseconds, 1),
  } satisfies ReadersReport)
}

function open({ baseUrl, projects, streamsPerProject }: ReadersOrder): void {
  const count = projects.length * streamsPerProject
  for (const credentials of projects) {
    const client = createGateway({ baseUrl, credentials, timeout: 120_000 })
    for (let index = 0; index < streamsPerProject; index += 1) {
      const reader = new Reader(client)
      readers.push(reader)
      let isOpen = false
      const receive = () => {
        if (!isOpen) {
          isOpen = true
          opened += 1
          if (opened === count) process.send?.('open')
        }
        report()
      }
      reader.run(receive).catch((error: unknown) => {
        console.error(error)
        process.exit(1)
      })
    }
  }
}

process.on('message', (order: ReadersOrder | ReadersTarget) => {
  if ('baseUrl' in order) return open(order)
  target = order.events
  report()
})
process.on('disconnect', () => process.exit())
