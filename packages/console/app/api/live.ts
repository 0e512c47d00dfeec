import { isMintmarkError } from '@mintmark/envelope'
import { events } from '@mintmark/events'
import { type GatewayClient, wait } from '@mintmark/operation'
import { createSessionGateway } from '@mintmark/transport/browser'
import type { QueryClient } from '@tanstack/react-query'
import { type ChangeNotice, invalidateAfterEvents, invalidateReads } from './invalidation.ts'

/** Whether the page receives events at present. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'stopped'

/**
 * Events within this time refresh the page together. A busy shop would refresh it for each order otherwise.
 */
const BATCH_MS = 400
/** After a failure that passes, such as that of a connection. */
const RETRY_MS = 3000

interface LiveOptions {
  readonly projectId: number
  readonly queryClient: QueryClient
  readonly signal: AbortSignal
  onState(state: LiveState): void
}

/**
 * Follows the events of a project until the signal, and refreshes what they change. Throws the errors that do
 * not pass, such as those of an ended session.
 */
export async function followEvents(options: LiveOptions): Promise<void> {
  const { projectId, queryClient, signal, onState } = options
  let hasConnected = false
  const gateway = createSessionGateway({
    baseUrl: location.origin,
    projectId,
    hooks: {
      onRequest: () => onState(hasConnected ? 'reconnecting' : 'connecting'),
      onResponse: ({ status }) => {
        if (status !== 200) return
        hasConnected = true
        onState('live')
      },
    },
  })
  const batch = createBatch((changes) => invalidateAfterEvents(queryClient, projectId, changes), signal)
  const after = await findNewestSequence(gateway, signal)
  void invalidateReads(queryClient, projectId)
  for await (const event of events.stream(gateway, { after, signal })) batch.add(event)
}

/** Finds the place in the feed after the newest event. Repeats a read that can succeed later. */
async function findNewestSequence(gateway: GatewayClient, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      const { newest } = await events.list(gateway, { limit: 1 }, { signal })
      return newest
    } catch (error) {
      if (!isMintmarkError(error) || !error.retryable) throw error
      await wait(RETRY_MS, signal)
    }
  }
}

/** Collects changes, and passes them on together after {@link BATCH_MS}. */
function createBatch(
  flush: (changes: readonly ChangeNotice[]) => Promise<void>,
  signal: AbortSignal,
): { add(change: ChangeNotice): void } {
  let changes: ChangeNotice[] = []
  return {
    add(change) {
      changes.push(change)
      if (changes.length > 1) return
      setTimeout(() => {
        const collected = changes
        changes = []
        if (!signal.aborted) void flush(collected)
      }, BATCH_MS)
    },
  }
}
