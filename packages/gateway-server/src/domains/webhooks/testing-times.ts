import type { WebhookSettings } from '@mintmark/webhooks'

/** Short times for tests. The job queue searches for lost attempts at most once a second. */
export const quickWebhooks: WebhookSettings = {
  allowPrivate: true,
  pollMs: 20,
  superviseSeconds: 1,
  timeoutMs: 2000,
  expireSeconds: 20,
  retryAfterSeconds: [0.05, 0.1, 0.1],
}

/** The shortest time after which an attempt counts as lost with its process. */
export const lostQuickly = { timeoutMs: 900, expireSeconds: 1 } satisfies WebhookSettings

/** For a process that is killed: it never takes an attempt in progress for lost or for failed. */
export const patient = {
  timeoutMs: 60_000,
  expireSeconds: 61,
  superviseSeconds: 3600,
} satisfies WebhookSettings
