import type { Logger } from '@mintmark/server-kit'
import type { Job, PgBoss } from 'pg-boss'
import type { AttemptJob } from './delivery-store.ts'
import type { DeliveryQueue } from './jobs.ts'

export interface DeliveryQueueOptions {
  readonly boss: PgBoss
  readonly queue: DeliveryQueue
  /** Makes one attempt and completes its job. If it throws, the job is retried later. */
  perform(job: Job<AttemptJob>, queue: string): Promise<void>
  /** Milliseconds between two queries of an empty queue. */
  readonly pollMs: number
  readonly log: Pick<Logger, 'error'>
}

export interface RunningQueue {
  /** Searches for due attempts now instead of at the next poll. */
  wake(): void
  /** Starts no more attempts and waits for the ones in progress. */
  stop(): Promise<void>
}

/**
 * How long an attempt has a slot, in milliseconds. Receivers that hang or are slow therefore delay others for
 * this time at most, however many an attacker has: each webhook has few concurrent attempts.
 */
const SLOT_MS = 1000

/**
 * Runs the due attempts of a queue. An attempt starts as soon as a slot is free, without waiting for other
 * attempts.
 */
export function runDeliveryQueue(options: DeliveryQueueOptions): RunningQueue {
  const runner = new QueueRunner(options)
  const loop = runner.run()
  return {
    wake: () => runner.wake(),
    async stop() {
      runner.stop()
      await loop
      await runner.waitForAttempts()
    },
  }
}

class QueueRunner {
  readonly #options: DeliveryQueueOptions
  readonly #attempts = new Set<Promise<void>>()
  #usedSlots = 0
  #isStopping = false
  #wake = () => {}

  constructor(options: DeliveryQueueOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      // Created before the query, so that an attempt that ends during the query is not missed.
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const started = await this.#startDueAttempts()
      // The attempts of one webhook may have hidden those of another, so the query is repeated until it finds
      // none.
      if (started === 0 && !this.#isStopping) await waitFor(woken, this.#options.pollMs)
    }
  }

  wake(): void {
    this.#wake()
  }

  stop(): void {
    this.#isStopping = true
    this.#wake()
  }

  async waitForAttempts(): Promise<void> {
    await Promise.all(this.#attempts)
  }

  /** Returns the number of started attempts, 0 if the queue could not be read. */
  async #startDueAttempts(): Promise<number> {
    const { boss, queue, log } = this.#options
    const freeSlots = Math.min(queue.concurrency - this.#usedSlots, queue.maxAttempts - this.#attempts.size)
    if (freeSlots <= 0) return 0
    try {
      const jobs = await boss.fetch<AttemptJob>(queue.name, {
        batchSize: freeSlots,
        groupConcurrency: queue.concurrencyPerWebhook,
      })
      for (const job of jobs) this.#startAttempt(job)
      return jobs.length
    } catch (error) {
      log.error({ err: error }, 'Due webhook attempts could not be read')
      return 0
    }
  }

  #startAttempt(job: Job<AttemptJob>): void {
    const slot = this.#takeSlot()
    const attempt = this.#makeAttempt(job).finally(() => {
      this.#attempts.delete(attempt)
      slot.release()
      this.#wake()
    })
    this.#attempts.add(attempt)
  }

  #takeSlot(): { release(): void } {
    this.#usedSlots += 1
    let isReleased = false
    const release = () => {
      clearTimeout(timer)
      if (isReleased) return
      isReleased = true
      this.#usedSlots -= 1
      this.#wake()
    }
    const timer = setTimeout(release, SLOT_MS)
    return { release }
  }

  async #makeAttempt(job: Job<AttemptJob>): Promise<void> {
    const { boss, queue, perform, log } = this.#options
    const { delivery } = job.data
    try {
      await perform(job, queue.name)
    } catch (error) {
      log.error({ err: error, delivery }, 'A webhook attempt could not be made or recorded')
      await boss.fail(queue.name, job).catch((failure: unknown) => {
        // The queue's supervisor returns the job when it has expired.
        log.error({ err: failure, delivery }, 'A webhook attempt could not be returned to the queue')
      })
    }
  }
}

async function waitFor(woken: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([woken, timeout])
  clearTimeout(timer)
}
