import { type EventDelivery, EventWebhook, eventWebhooks, type GatewayEvent } from '@mintmark/events'
import type { WebhookRow } from '@mintmark/webhooks'
import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { toRecord } from '../../http/record-mapping.ts'

export type DeliveryRow = Selectable<Tables['gateway.webhook_deliveries']>

export function toEventWebhook(row: WebhookRow): EventWebhook {
  return toRecord(EventWebhook, row, {
    maxPerSecond: row.max_per_second ?? 0,
    // Only the responses of calls that create it contain it.
    secret: undefined,
    failingSince: row.failing_since?.toISOString(),
    previousSecretExpireTime: row.previous_secret_until?.toISOString(),
  })
}

/** Returns the id of an event, or of a test message. */
function toEventId(project: number, sequence: number | null, delivery: number): string {
  return sequence === null ? `evt_${project}_test_${delivery}` : `evt_${project}_${sequence}`
}

export function toEventDelivery(row: DeliveryRow): EventDelivery {
  return toRecord(eventWebhooks.EventDelivery, row, {
    eventId: toEventId(row.project_id, row.event_sequence, row.id),
    sequence: row.event_sequence ?? 0,
    log: row.attempt_log.map(({ at, status, error, ms }) => ({
      time: new Date(at).toISOString(),
      responseStatus: status,
      error,
      durationMs: ms,
    })),
    lastAttemptTime: row.last_attempt_at?.toISOString(),
    nextAttemptTime: row.next_attempt_at?.toISOString(),
  })
}

/** A test message, which has the form of an event of the feed. */
export function toTestEvent(test: {
  readonly project: number
  readonly webhook: number
  readonly delivery: number
  readonly createdAt: Date
}): GatewayEvent {
  const { project, webhook, delivery, createdAt } = test
  return {
    id: toEventId(project, null, delivery),
    type: 'webhook.test',
    subject: `webhook/${webhook}`,
    sequence: 0,
    time: createdAt.toISOString(),
    projectId: project,
    apiVersion: '1',
    data: { webhookId: webhook },
  }
}
