import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { cacheLookup } from '../cached-lookup.ts'

/** A server's metrics, in the format of Prometheus. */
export interface ServerMetrics {
  registry: Registry
  /** Counts a completed call. */
  call(operation: string, status: number, seconds: number): void
  /** Registers a counter with a label. Returns the function that counts an event by its value of the label. */
  counter(name: string, help: string, label: string): (value: string) => void
  /**
   * Registers a gauge, such as the age of the oldest unfinished row: one number, or several with a label.
   * Scrapes share a reading for `cacheMs`, however many there are. A reading that fails is logged, and the gauge
   * left out, or NaN without a label.
   */
  gauge(name: string, help: string, read: () => Promise<number | LabelledNumbers>, label?: string): void
}

/** Numbers by value of the label. */
export type LabelledNumbers = ReadonlyMap<string, number>

/** How long a reading of a gauge is used, in milliseconds. */
const DEFAULT_CACHE_MS = 15_000

/**
 * Creates the metrics of a server, whose names begin with the prefix.
 *
 * @param cacheMs How long a reading of a gauge is used, in milliseconds.
 */
export function createMetrics(
  prefix: string,
  log: Pick<Logger, 'warn'>,
  cacheMs: number = DEFAULT_CACHE_MS,
): ServerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: `${prefix}_calls_total`,
    help: 'Completed calls, by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: `${prefix}_call_seconds`,
    help: 'Duration of calls, by operation',
    labelNames: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  return {
    registry,
    call(operation, status, seconds) {
      calls.inc({ operation, status })
      duration.observe({ operation }, seconds)
    },
    counter(name, help, label) {
      const counter = new Counter({
        name: `${prefix}_${name}`,
        help,
        labelNames: [label],
        registers: [registry],
      })
      return (value) => counter.inc({ [label]: value })
    },
    gauge(name, help, read, label) {
      const readOnce = cacheLookup(read, { ttlMs: cacheMs })
      let pending: Promise<number | LabelledNumbers> | undefined
      // A slow reading outlasts its cache, and is not started again beside itself.
      const readShared = () => {
        pending ??= readOnce('').finally(() => {
          pending = undefined
        })
        return pending
      }
      const readOrWarn = async () => {
        try {
          return await readShared()
        } catch (error) {
          log.warn({ err: error, gauge: name }, 'A gauge could not be read')
          return label === undefined ? Number.NaN : new Map<string, number>()
        }
      }
      new Gauge({
        name: `${prefix}_${name}`,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect() {
          const result = await readOrWarn()
          if (typeof result === 'number') return this.set(result)
          this.reset()
          for (const [value, number] of result) this.set({ [label ?? '']: value }, number)
        },
      })
    },
  }
}
