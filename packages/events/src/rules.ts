import { serverOnly } from '@mintmark/envelope'

/**
 * Events after the requested place were deleted because of their age.
 *
 * Read the records that you need, and list the feed from its oldest event.
 */
export const EVENTS_EXPIRED = {
  code: 41001,
  reason: 'EVENTS_EXPIRED',
  message: serverOnly('Events after this place were deleted because of their age'),
} as const
/**
 * The project has reached its limit of webhooks.
 *
 * Change or remove an existing webhook.
 */
export const TOO_MANY_EVENT_WEBHOOKS = {
  code: 40961,
  reason: 'TOO_MANY_EVENT_WEBHOOKS',
  message: serverOnly('The project has reached the maximum number of webhooks'),
} as const
