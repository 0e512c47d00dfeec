import { sql, type Transaction } from 'kysely'
import type { EventData, Tables } from '../tables.ts'

export type EventType =
  | 'settlement.settled'
  | 'settlement.failed'
  | 'settlement.unknown'
  | 'settlement.reconciled'
  | 'payer_quota.registered'
  | 'payer_quota.revoked'
  | 'payer_quota.exhausted'
  | 'payer_balance.credited'
  | 'payer_balance.low'

export interface NewEvent {
  /** The subject, such as `settlement:12` or `payer:0x…`. The events of a subject are numbered from 1. */
  readonly subject: string
  readonly type: EventType
  /** The account that may receive the event. */
  readonly account: number
  readonly data: EventData
}

export interface RecordedEvent extends NewEvent {
  /** Whether the account has an enabled webhook. */
  readonly hasWebhook: boolean
  readonly id: number
  readonly sequence: number
  readonly occurredAt: Date
}

/** Adds jobs for the recorded events of accounts with webhooks, in the same transaction, so that events and jobs are committed together. */
export type Enqueue = (trx: Transaction<Tables>, events: readonly RecordedEvent[]) => Promise<void>

/**
 * Records events in the transaction of the changes that they report.
 *
 * The caller holds the lock of the subject's row (a settlement, an account), so that the events of a subject have different numbers in the
 * order of the changes.
 */
export async function recordEvents(
  trx: Transaction<Tables>,
  events: readonly NewEvent[],
  enqueue?: Enqueue,
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ subject, type, account, data }, position) => ({
    position,
    subject,
    type,
    account,
    data,
  }))
  const { rows: recorded } = await sql<RecordedEvent>`
    insert into facilitator.events (subject, sequence, type, account_id, data)
    select e.subject,
      coalesce((select max(sequence) from facilitator.events earlier where earlier.subject = e.subject), 0)
        + row_number() over (partition by e.subject order by e.position),
      e.type, e.account, e.data
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (position integer, subject text, type text, account bigint, data jsonb)
    returning id, subject, sequence, type, account_id as account, data, occurred_at as "occurredAt",
      exists (select from facilitator.webhooks w where w.account_id = events.account_id and w.status = 'ENABLED') as "hasWebhook"`.execute(
    trx,
  )
  const deliverable = recorded.filter((event) => event.hasWebhook)
  if (deliverable.length > 0) await enqueue?.(trx, deliverable)
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
