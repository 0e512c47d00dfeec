import { type EventDelivery, type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useOperation } from '../../api/operations.ts'

/** How a webhook works. */
export type WebhookState = 'working' | 'failing' | 'disabled'

/**
 * Returns how a webhook works. A status that a newer server added counts as disabled, because only `ENABLED`
 * receives events.
 */
export function getWebhookState({ status, failingSince }: EventWebhook): WebhookState {
  if (status !== 'ENABLED') return 'disabled'
  return failingSince === undefined ? 'working' : 'failing'
}

/** An attempt that is due within this time is awaited. */
const SOON_MS = 15_000

/**
 * Whether an attempt of a delivery is running or due soon. No event reports attempts, so the page reads the
 * delivery again until then.
 *
 * @param now Milliseconds since the epoch.
 */
export function isAttemptDue({ status, nextAttemptTime }: EventDelivery, now: number): boolean {
  if (status !== 'PENDING') return false
  return nextAttemptTime === undefined || Date.parse(nextAttemptTime) - now < SOON_MS
}

/**
 * Returns a webhook as it is now, for a dialog that was opened with it; undefined for a new one. No event
 * reports what colleagues change, so it is read when the dialog opens.
 */
export function useWebhook<Opened extends EventWebhook | undefined>(opened: Opened): EventWebhook | Opened {
  const options = { enabled: opened !== undefined, staleTime: 0 }
  const { data } = useOperation(eventWebhooks.get, { id: opened?.id ?? 0 }, options)
  return data ?? opened
}
