import type { Order } from '@mintmark/orders'
import { sql } from 'kysely'
import type { AddTotals, SequencedEvent } from '../events/sequencer.ts'

/** The types of events that are counted. */
export const COUNTED_EVENTS = [
  'order.created',
  'order.paid',
  'verification.accepted',
  'verification.refused',
] as const
export type CountedEvent = (typeof COUNTED_EVENTS)[number]

const isCounted = (type: string): type is CountedEvent => (COUNTED_EVENTS as readonly string[]).includes(type)

/** What an event adds to the totals of its project. */
interface Addend {
  readonly project: number
  readonly occurredAt: string
  readonly type: CountedEvent
  readonly chain: string
  readonly token: string
  readonly decimals: number
  readonly amount: string
}

/**
 * Adds events to the totals of their projects. The sequencer calls it in the transaction that numbers the
 * events, so that each event counts exactly once, in the period in which it happened.
 */
export const addTotals: AddTotals = async (trx, events) => {
  const addends = events.flatMap(toAddends)
  if (addends.length === 0) return
  await sql`
    insert into gateway.totals as t (project_id, period, type, chain_id, pay_token_address, pay_token_decimals, events, amount)
    select project, date_bin('15 minutes', "occurredAt", '2000-01-01Z'), type, chain, token, max(decimals), count(*), sum(amount)
    from json_to_recordset(${JSON.stringify(addends)}::json) as a (project bigint, "occurredAt" timestamptz, type text, chain text,
      token text, decimals integer, amount numeric)
    group by 1, 2, 3, 4, 5
    on conflict (project_id, period, type, chain_id, pay_token_address)
    do update set events = t.events + excluded.events, amount = t.amount + excluded.amount`.execute(trx)
}

function toAddends({ project, type, occurredAt, data }: SequencedEvent): readonly Addend[] {
  if (!isCounted(type)) return []
  const counted = { project, occurredAt, type }
  if (type !== 'order.paid') return [{ ...counted, chain: '', token: '', decimals: 0, amount: '0' }]
  // The type says what the record is.
  const { chainId, payTokenAddress, payTokenDecimals, payAmount } = data as Order
  return [
    { ...counted, chain: chainId, token: payTokenAddress, decimals: payTokenDecimals, amount: payAmount },
  ]
}
