import type { DeliveryStatus, WebhookStatus } from '@mintmark/webhooks'
import type { RecordColumns } from './columns.ts'

/** An attempt in the log of a delivery. */
export interface LoggedAttempt {
  readonly at: string
  readonly status: number
  readonly error: string
  readonly ms: number
}

/** The tables of webhooks. The delivery of the server kit writes them. */
export interface WebhookTables {
  'gateway.webhooks': { project_id: number; id: number; status: WebhookStatus }
  'gateway.webhook_deliveries': RecordColumns & {
    webhook_id: number
    event_sequence: number | null
    event_type: string
    status: DeliveryStatus
    attempts: number
    attempt_log: readonly LoggedAttempt[]
    response_status: number
    error: string
    last_attempt_at: Date | null
    next_attempt_at: Date | null
  }
}
