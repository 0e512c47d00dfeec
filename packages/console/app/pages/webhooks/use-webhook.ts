import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import { useOperation } from '../../api/operations.ts'

/**
 * Returns a webhook as it is now, for a dialog that was opened with it; undefined for a new one. No event
 * reports what colleagues change, so it is read when the dialog opens.
 */
export function useWebhook<Opened extends EventWebhook | undefined>(opened: Opened): EventWebhook | Opened {
  const options = { enabled: opened !== undefined, staleTime: 0 }
  const { data } = useOperation(eventWebhooks.get, { id: opened?.id ?? 0 }, options)
  return data ?? opened
}
