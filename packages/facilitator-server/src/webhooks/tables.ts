import type { ColumnType, Generated } from 'kysely'

type Moment = ColumnType<Date, Date | undefined, Date>
type MaybeMoment = ColumnType<Date | null, Date | null | undefined, Date | null>

export type WebhookStatus = 'ENABLED' | 'DISABLED' | 'REMOVED'
export type DeliveryStatus = 'PENDING' | 'DELIVERED' | 'FAILED'

export interface WebhooksTable {
  id: Generated<number>
  account_id: number
  url: string
  events: Generated<string[]>
  description: Generated<string>
  secret: string
  status: Generated<WebhookStatus>
  failing_since: MaybeMoment
  created_at: Moment
  updated_at: Moment
}

export interface DeliveriesTable {
  id: Generated<number>
  webhook_id: number
  event_id: number
  event_type: string
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  failures: Generated<number>
  turn: Generated<number>
  response_status: Generated<number>
  error: Generated<string>
  created_at: Moment
  last_attempt_at: MaybeMoment
  next_attempt_at: MaybeMoment
}

/** The tables of webhooks, as `migrations/0003-webhooks.ts` makes them. */
export interface WebhookTables {
  'facilitator.webhooks': WebhooksTable
  'facilitator.deliveries': DeliveriesTable
}
