import type { Order } from '@mintmark/orders'
import { sql } from 'kysely'
import { Tenant } from '../../database/tenant.ts'
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

/** Finds when an order that was paid until a time had become paid. */
export type FindPaidTime = (
  tenant: Tenant,
  order: { readonly id: number },
  until: string,
) => Promise<Date | undefined>

/** What an event adds to the totals of its project. */
interface Addend {
  readonly project: number
  readonly occurredAt: string
  readonly type: CountedEvent
  readonly chain: string
  readonly token: string
  readonly decimals: number
  /** -1 if the event takes back what another one added. */
  readonly events: 1 | -1
  readonly amount: string
}

/**
 * Creates the function that adds events to the totals of their projects. The sequencer calls it in the
 * transaction that numbers the events, so that each event counts exactly once, in the period in which it
 * happened.
 *
 * An order whose payment a reorganization removes is taken back from the period in which it was paid. It
 * counts again when an operator resolves it as successful.
 *
 * @param findPaidTime Totals do not import orders, so the composition root passes it.
 */
export function createAddTotals(findPaidTime: FindPaidTime): AddTotals {
  return async (trx, events) => {
    const addends = events.flatMap(toAddends)
    for (const event of events) {
      if (!isTakenBack(event)) continue
      const tenant = new Tenant(trx, event.project)
      const paidAt = await findPaidTime(tenant, event.data as Order, event.occurredAt)
      addends.push({ ...toPayment(event), events: -1, occurredAt: paidAt?.toISOString() ?? event.occurredAt })
    }
    if (addends.length === 0) return
    await sql`
      insert into gateway.totals as t (project_id, period, type, chain_id, pay_token_address, pay_token_decimals, events, amount)
      select project, date_bin('15 minutes', "occurredAt", '2000-01-01Z'), type, chain, token, max(decimals),
        sum(events), sum(events * amount)
      from json_to_recordset(${JSON.stringify(addends)}::json) as a (project bigint, "occurredAt" timestamptz, type text, chain text,
        token text, decimals integer, events integer, amount numeric)
      group by 1, 2, 3, 4, 5
      on conflict (project_id, period, type, chain_id, pay_token_address)
      do update set events = t.events + excluded.events, amount = t.amount + excluded.amount`.execute(trx)
  }
}

function toAddends(event: SequencedEvent): readonly Addend[] {
  const { project, type, occurredAt } = event
  if (!isCounted(type)) return []
  if (type === 'order.paid') return [toPayment(event)]
  return [{ project, occurredAt, type, chain: '', token: '', decimals: 0, events: 1, amount: '0' }]
}

/** Converts an event of an order to what its payment adds. */
function toPayment({ project, occurredAt, data }: SequencedEvent): Addend {
  // The type of the event says what the record is.
  const {
    chainId: chain,
    payTokenAddress: token,
    payTokenDecimals: decimals,
    payAmount: amount,
  } = data as Order
  return { project, occurredAt, type: 'order.paid', chain, token, decimals, events: 1, amount }
}

/** Whether a paid order is not paid any more. Nothing but a reorganization ends a SUCCESS. */
function isTakenBack({ type, data }: SequencedEvent): boolean {
  return type === 'order.unresolved' && (data as Order).reason === 'reorganized'
}
