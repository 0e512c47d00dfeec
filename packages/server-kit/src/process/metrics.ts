import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** A server's numbers, in Prometheus' format. */
export interface ServerMetrics {
  registry: Registry
  /** One call that was answered. */
  call(operation: string, status: number, seconds: number): void
  /**
   * A gauge that is read when someone looks, such as the age of the oldest unfinished row: one number, or several told apart by a
   * label. What cannot be read is left out and logged by whoever reads.
   */
  gauge(name: string, help: string, read: () => Promise<number | LabelledNumbers>, label?: string): void
}

/** Numbers by the label's value. */
export type LabelledNumbers = ReadonlyMap<string, number>

export function createMetrics(prefix: string): ServerMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Counter({
    name: `${prefix}_calls_total`,
    help: 'Calls answered, by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: `${prefix}_call_seconds`,
    help: 'Time to answer a call, by operation',
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
    gauge(name, help, read, label) {
      new Gauge({
        name: `${prefix}_${name}`,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        async collect() {
          const found = await read()
          if (typeof found === 'number') return this.set(found)
          this.reset()
          for (const [value, number] of found) this.set({ [label ?? '']: value }, number)
        },
      })
    },
  }
}
