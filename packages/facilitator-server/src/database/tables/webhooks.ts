import type { DeliveryStatus, WebhookStatus } from '@mintmark/webhooks'
import type { ColumnType, Generated } from 'kysely'

type Timestamp = ColumnType<Date, Date | undefined, Date>
type OptionalTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>

export interface WebhooksTable {
  id: Generated<number>
  account_id: number
  url: string
  events: Generated<string[]>
  description: Generated<string>
  secret: string
  previous_secret: Generated<string>
  previous_secret_until: OptionalTimestamp
  max_per_second: ColumnType<number | null, number | null | undefined, number | null>
  next_slot_at: OptionalTimestamp
  status: Generated<WebhookStatus>
  failing_since: OptionalTimestamp
  created_at: Timestamp
  updated_at: Timestamp
}

export interface DeliveriesTable {
  id: Generated<number>
  account_id: number
  webhook_id: number
  event_id: number
  event_type: string
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  failures: Generated<number>
  turn: Generated<number>
  slot_turn: Generated<number>
  attempt_log: Generated<unknown>
  response_status: Generated<number>
  error: Generated<string>
  created_at: Timestamp
  last_attempt_at: OptionalTimestamp
  next_attempt_at: OptionalTimestamp
}

/** The tables of webhooks, which `database/migrations/0003-events.sql` creates. */
export interface WebhookTables {
  'facilitator.webhooks': WebhooksTable
  'facilitator.deliveries': DeliveriesTable
}
