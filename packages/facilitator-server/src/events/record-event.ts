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
  /** What it is about, such as `settlement:12` or `payer:0x…`; events of one subject are numbered from 1. */
  readonly subject: string
  readonly type: EventType
  /** The account that may hear of it. */
  readonly account: number
  readonly data: EventData
}

export interface RecordedEvent extends NewEvent {
  /** Whether the account has a webhook that is enabled. */
  readonly heard: boolean
  readonly id: number
  readonly sequence: number
  readonly occurredAt: Date
}

/** Is given what was recorded for accounts with webhooks, in the transaction that recorded it, so that a job for it commits or vanishes with it. */
export type Enqueue = (trx: Transaction<Tables>, events: readonly RecordedEvent[]) => Promise<void>

/**
 * Records events in the transaction of the work they tell of.
 *
 * The caller holds the lock of the subject's row (a settlement's, an account's): that is what gives two events of one
 * subject different numbers, and the order of the numbers the order of what happened.
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
      coalesce((select max(sequence) from facilitator.events standing where standing.subject = e.subject), 0)
        + row_number() over (partition by e.subject order by e.position),
      e.type, e.account, e.data
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (position integer, subject text, type text, account bigint, data jsonb)
    returning id, subject, sequence, type, account_id as account, data, occurred_at as "occurredAt",
      exists (select from facilitator.webhooks w where w.account_id = events.account_id and w.status = 'ENABLED') as heard`.execute(
    trx,
  )
  const heard = recorded.filter((event) => event.heard)
  if (heard.length > 0) await enqueue?.(trx, heard)
}

/** Records one event; see `recordEvents`. */
export async function recordEvent(
  trx: Transaction<Tables>,
  event: NewEvent,
  enqueue?: Enqueue,
): Promise<void> {
  await recordEvents(trx, [event], enqueue)
}

/** The subject of a payer's balance and quotas. */
export const payerSubject = (payer: string): string => `payer:${payer}`
