import type { WebhookType } from '@mintmark/facilitator'
import type { Enqueue } from '@mintmark/webhooks'
import { sql, type Transaction } from 'kysely'
import type { EventData, Tables } from '../database/tables.ts'

export type { Enqueue } from '@mintmark/webhooks'

export type EventType = WebhookType

export interface NewEvent {
  /** The subject, such as `settlement:12` or `payer:0x…`. The events of a subject are numbered from 1. */
  readonly subject: string
  readonly type: EventType
  /** The account that may receive the event. */
  readonly account: number
  readonly data: EventData
}

/** The parameter `p_enqueue` of SQL functions that record events. */
export const toEnqueueParameter = (enqueue: Enqueue | undefined): string | null =>
  enqueue === undefined ? null : JSON.stringify(enqueue)

/**
 * Records events in the transaction of the changes that they report, and adds the deliveries to the webhooks
 * of their accounts. Returns the ids of the events, in order.
 *
 * The caller holds the lock of the subject's row (a settlement, an account), so that the events of a subject
 * have different numbers in the order of the changes.
 */
export async function recordEvents(
  trx: Transaction<Tables>,
  events: readonly NewEvent[],
  enqueue?: Enqueue,
): Promise<readonly number[]> {
  if (events.length === 0) return []
  const subjects = events.map(({ subject }) => subject)
  const types = events.map(({ type }) => type)
  const accounts = events.map(({ account }) => account)
  const data = events.map((event) => JSON.stringify(event.data))
  const { rows } = await sql<{ ids: number[] }>`
    select facilitator.record_events(${subjects}::text[], ${types}::text[], ${accounts}::bigint[], ${data}::jsonb[],
      ${toEnqueueParameter(enqueue)}::jsonb) as ids`.execute(trx)
  return rows[0]?.ids ?? []
}

/** Records one event as `recordEvents` does. */
export async function recordEvent(
  trx: Transaction<Tables>,
  event: NewEvent,
  enqueue?: Enqueue,
): Promise<void> {
  await recordEvents(trx, [event], enqueue)
}

/** Returns the subject of a payer's balance and quotas. */
export const payerSubject = (payer: string): string => `payer:${payer}`
