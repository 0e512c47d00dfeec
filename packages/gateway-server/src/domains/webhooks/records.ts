import type { EventDelivery, EventWebhook, GatewayEvent } from '@mintmark/events'
import type { WebhookRow } from '@mintmark/webhooks'
import type { Selectable } from 'kysely'
import type { Tables } from '../../database/tables.ts'

export type DeliveryRow = Selectable<Tables['gateway.webhook_deliveries']>

export function toEventWebhook(row: WebhookRow): EventWebhook {
  const { previous_secret_until: until } = row
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    maxPerSecond: row.max_per_second ?? 0,
    status: row.status,
    createTime: row.created_at.toISOString(),
    updateTime: row.updated_at.toISOString(),
    ...(row.failing_since !== null && { failingSince: row.failing_since.toISOString() }),
    ...(until !== null && { previousSecretExpireTime: until.toISOString() }),
  }
}

/** Returns the id of an event, or of a test message. */
function toEventId(project: number, sequence: number | null, delivery: number): string {
  return sequence === null ? `evt_${project}_test_${delivery}` : `evt_${project}_${sequence}`
}

export function toEventDelivery(row: DeliveryRow): EventDelivery {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: toEventId(row.project_id, row.event_sequence, row.id),
    eventType: row.event_type,
    sequence: row.event_sequence ?? 0,
    status: row.status,
    attempts: row.attempts,
    responseStatus: row.response_status,
    error: row.error,
    log: row.attempt_log.map(({ at, status, error, ms }) => ({
      time: new Date(at).toISOString(),
      responseStatus: status,
      error,
      durationMs: ms,
    })),
    createTime: row.created_at.toISOString(),
    ...(row.last_attempt_at !== null && { lastAttemptTime: row.last_attempt_at.toISOString() }),
    ...(row.next_attempt_at !== null && { nextAttemptTime: row.next_attempt_at.toISOString() }),
  }
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
