import type { EventDelivery } from '@mintmark/events'

/** Iterates over the deliveries of a webhook, newest first: `eventWebhooks.deliveries.items`. */
export type ListDeliveries = (input: {
  readonly id: number
  readonly pageSize: number
  readonly from?: string
  readonly to?: string
}) => AsyncIterable<EventDelivery>

/** The largest page of the list. */
const PAGE_DELIVERIES = 100
/** Records have times to the millisecond, the database has more digits. */
const ROUNDING_MS = 2

/**
 * Reads a delivery again. No operation returns one delivery, so this lists those that were created at the
 * same time.
 *
 * @returns The delivery as it was, if it no longer exists.
 */
export async function findDelivery(list: ListDeliveries, delivery: EventDelivery): Promise<EventDelivery> {
  const { id, webhookId, createTime } = delivery
  const created = Date.parse(createTime)
  const input = {
    id: webhookId,
    pageSize: PAGE_DELIVERIES,
    from: new Date(created - ROUNDING_MS).toISOString(),
    to: new Date(created + ROUNDING_MS).toISOString(),
  }
  for await (const each of list(input)) if (each.id === id) return each
  return delivery
}
