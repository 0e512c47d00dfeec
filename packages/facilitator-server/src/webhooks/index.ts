import type { Database, Logger, Route, Sealer, Tracing } from '@mintmark/server-kit'
import {
  createDelivering,
  type DueDelivery,
  type Enqueue,
  migrateJobs as migrateJobsOf,
  type WebhookMessage,
  type WebhookSettings,
} from '@mintmark/webhooks'
import type { Selectable } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { facilitatorWebhooks } from '../database/webhook-schema.ts'
import type { FacilitatorContext } from '../http/context/context.ts'
import { webhookRoutes } from './routes.ts'

export interface WebhookOptions extends WebhookSettings {
  readonly database: Database<Tables>
  readonly sealer: Sealer
  readonly log: Logger
  readonly tracing?: Tracing | undefined
}

/** The delivery of events to the webhooks of their accounts. */
export interface Webhooks {
  /** How the events of a change are delivered. Requires that `start` has ended. */
  readonly enqueue: Enqueue
  readonly routes: readonly Route<FacilitatorContext>[]
  /** Opens the job queue, whose schema `migrateJobs` created, and starts delivering. */
  start(): Promise<void>
  /** Searches for due attempts now. */
  wake(): void
  /** Starts no more attempts and waits for the ones in progress, at most as long as a receiver may take. */
  stop(): Promise<void>
}

/**
 * Migrates the schema of the job queue. The facilitator's schema must be migrated first.
 *
 * @param url Connection string of the schema's owner.
 */
export async function migrateJobs(url: string): Promise<void> {
  await migrateJobsOf(url, facilitatorWebhooks)
}

/** Builds the webhooks on a migrated database. */
export function createWebhooks(options: WebhookOptions): Webhooks {
  const delivering = createDelivering({
    ...options,
    names: facilitatorWebhooks,
    userAgent: 'mintmark-facilitator',
    createMessage,
  })
  return {
    get enqueue() {
      return delivering.enqueue
    },
    routes: webhookRoutes(delivering),
    start: () => delivering.start(),
    wake: () => delivering.wake(),
    stop: () => delivering.stop(),
  }
}

type EventRow = Selectable<Tables['facilitator.events']>

function createMessage(_: DueDelivery, event: EventRow | undefined): WebhookMessage {
  if (event === undefined) throw new Error('A delivery has no event')
  const { type, occurred_at: occurredAt, sequence, data } = event
  const id = `evt_${event.id}`
  return { id, body: JSON.stringify({ id, type, occurredAt: occurredAt.toISOString(), sequence, data }) }
}
