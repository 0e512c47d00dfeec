import type { WebhookSchema } from '@mintmark/webhooks'

/** The names of the facilitator's tables of webhooks. */
export const facilitatorWebhooks: WebhookSchema = {
  schema: 'facilitator',
  deliveries: 'deliveries',
  owner: 'account_id',
  eventKey: 'id',
  deliveredEvent: 'event_id',
  jobSchema: 'facilitator_jobs',
  role: 'mintmark_facilitator',
  migrateCommand: 'mintmark-facilitator migrate',
}
