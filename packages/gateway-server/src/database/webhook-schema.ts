import type { WebhookSchema } from '@mintmark/webhooks'

/** The names of the gateway's tables of webhooks. */
export const webhookSchema: WebhookSchema = {
  schema: 'gateway',
  deliveries: 'webhook_deliveries',
  owner: 'project_id',
  eventKey: 'sequence',
  deliveredEvent: 'event_sequence',
  jobSchema: 'gateway_jobs',
  role: 'mintmark_gateway',
  migrateCommand: 'mintmark-gateway migrate',
}
