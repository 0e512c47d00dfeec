import type { EventWebhook, GatewayEvent } from '@mintmark/events'
import type { Logger, Sealer, Tracing } from '@mintmark/server-kit'
import {
  createDelivering,
  type Delivering,
  DeliveryStore,
  type DueDelivery,
  type Enqueue,
  migrateJobs,
  type WebhookSettings,
  WebhookStore,
} from '@mintmark/webhooks'
import type { Selectable, Transaction } from 'kysely'
import type { GatewayDatabase } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { webhookSchema } from '../../database/webhook-schema.ts'
import { toGatewayEvent } from '../events/events-store.ts'
import { type AddDeliveries, addEvents } from '../events/sequencer.ts'
import { mailNotice, type Notices } from './notices.ts'
import { toEventWebhook, toTestEvent } from './records.ts'

type EventRow = Selectable<Tables['gateway.events']>

export interface WebhookDeliveryOptions extends WebhookSettings {
  /** Connections of the schema's owner, who reads the webhooks of all projects. */
  readonly database: GatewayDatabase
  readonly sealer: Sealer
  readonly log: Logger
  readonly tracing?: Tracing | undefined
  /** Mails events. Default: the server sends no mails. */
  readonly notices?: Notices | undefined
}

/**
 * Migrates the schema of the job queue. The gateway's schema must be migrated first.
 *
 * @param url Connection string of the schema's owner.
 */
export async function migrateWebhookJobs(url: string): Promise<void> {
  await migrateJobs(url, webhookSchema)
}

/** Builds the delivery of events to the webhooks of their projects. */
export function createWebhookDelivery(options: WebhookDeliveryOptions): Delivering {
  return createDelivering({
    ...options,
    names: webhookSchema,
    userAgent: 'mintmark-gateway',
    createMessage: (due, row: EventRow | undefined) => {
      const event = toEvent(due, row)
      return { id: event.id, body: JSON.stringify(event) }
    },
    mail: (due, row: EventRow | undefined) =>
      mailNotice({ url: due.url, event: toEvent(due, row) }, options.notices),
    reportDisabled: (trx: Transaction<Tables>, due, enqueue) =>
      reportDisabled(trx, due, { enqueue, sealer: options.sealer }),
  })
}

/** Creates the function that adds the deliveries of new events, for the sequencer. */
export function createAddDeliveries(enqueue: Enqueue): AddDeliveries {
  const deliveries = new DeliveryStore(webhookSchema)
  return async (trx, events) => await deliveries.addForEvents(trx, events, enqueue)
}

/**
 * Encrypts the secrets of all webhooks with the newest key. Returns the number of webhooks whose secrets
 * changed.
 */
export async function resealWebhooks(db: GatewayDatabase['system'], sealer: Sealer): Promise<number> {
  return await new WebhookStore(webhookSchema, sealer).reseal(db)
}

/** Returns the event of a delivery. One without an event is a test. */
function toEvent(
  { owner: project, webhook_id: webhook, delivery, created_at: createdAt }: DueDelivery,
  row: EventRow | undefined,
): GatewayEvent {
  return row === undefined ? toTestEvent({ project, webhook, delivery, createdAt }) : toGatewayEvent(row)
}

/** Adds the event of a disabled webhook to the feed, and its deliveries to the project's other webhooks. */
async function reportDisabled(
  trx: Transaction<Tables>,
  { owner, webhook_id: id }: DueDelivery,
  { enqueue, sealer }: { enqueue: Enqueue; sealer: Sealer },
): Promise<void> {
  const row = await new WebhookStore(webhookSchema, sealer).find(trx, owner, id)
  if (row === undefined) return
  const data: EventWebhook = toEventWebhook(row)
  const event = {
    project: owner,
    type: 'webhook.disabled',
    subject: `webhook/${id}`,
    data,
    occurredAt: row.updated_at.toISOString(),
  }
  await addEvents(trx, [event], createAddDeliveries(enqueue))
}
