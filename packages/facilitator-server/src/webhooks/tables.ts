import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Date, Date | undefined, Date>
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

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
  failing_since: OptionalTimestamp
  created_at: Timestamp
  updated_at: Timestamp
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
  created_at: Timestamp
  last_attempt_at: OptionalTimestamp
  next_attempt_at: OptionalTimestamp
}

/** The tables of webhooks, which `migrations/0004-webhooks.ts` creates. */
export interface WebhookTables {
  'facilitator.webhooks': WebhooksTable
  'facilitator.deliveries': DeliveriesTable
}
