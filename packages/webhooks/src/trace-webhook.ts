import { recordFailure, runInSpan, type Tracing } from '@mintmark/server-kit'
import { context, ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'

/** An attempt to deliver an event. */
export interface WebhookAttempt {
  readonly eventType: string
  /** The id of the webhook. */
  readonly webhook: number
  /** The number of the attempt, from 1. */
  readonly attempt: number
}

interface WebhookOutcome {
  readonly delivered: boolean
  /** 0 if there was no response. */
  readonly status: number
}

/**
 * Runs an attempt in a client span that begins a trace, because events do not store the trace of their
 * change. The span has the id of the webhook and nothing of its URL, which can contain keys.
 */
export async function traceWebhook<Outcome extends WebhookOutcome>(
  tracing: Tracing | undefined,
  { eventType, webhook, attempt }: WebhookAttempt,
  send: () => Promise<Outcome>,
): Promise<Outcome> {
  if (tracing === undefined) return await send()
  const attributes = {
    'mintmark.event.type': eventType,
    'mintmark.webhook.id': webhook,
    'mintmark.webhook.attempt': attempt,
  }
  const description = { name: `webhook ${eventType}`, kind: SpanKind.CLIENT, attributes }
  const run = () =>
    runInSpan(tracing, description, async (span) => {
      const outcome = await send()
      const { delivered, status } = outcome
      if (status > 0) span.setAttribute('http.response.status_code', status)
      if (!delivered) recordFailure(span, status > 0 ? String(status) : 'NoResponse')
      return outcome
    })
  return await context.with(ROOT_CONTEXT, run)
}
