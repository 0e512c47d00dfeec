import { signTestWebhook } from '@mintmark/events'
import type { CommandEnvironment } from '../environment.ts'
import { UsageError } from '../errors.ts'

/** How a receiver responded to an event. */
export interface Forwarded {
  /** Undefined when the receiver did not respond. */
  readonly status: number | undefined
  /** Why the receiver did not respond. */
  readonly failure?: string
  readonly milliseconds: number
}

/** Receivers must respond as fast as to the servers. */
const TIMEOUT_MS = 10_000

/** Returns the URL of a receiver; `localhost:3000/hooks` is http. */
export function toReceiverUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw new UsageError(`--forward-to: Expected a URL, received "${text}"`)
  return url
}

/** Creates a signing secret. */
export function createSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`
}

function describeFailure(error: unknown): string {
  // fetch only reports that it failed. Its cause has the reason.
  const { cause } = error as { readonly cause?: { readonly code?: string; readonly message?: string } }
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error))
}

/** Sends an event to a receiver as a server does, signed as a webhook. */
export async function forwardEvent(
  event: { readonly id: string },
  url: string,
  secret: string,
  { fetch = globalThis.fetch, signal }: CommandEnvironment,
): Promise<Forwarded> {
  const { body, headers } = await signTestWebhook(event, secret)
  const started = performance.now()
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // The connection is reused when the body has been read.
    await response.arrayBuffer()
    return { status: response.status, milliseconds: Math.round(performance.now() - started) }
  } catch (error) {
    signal.throwIfAborted()
    const failure = describeFailure(error)
    return { status: undefined, failure, milliseconds: Math.round(performance.now() - started) }
  }
}

/** Whether the receiver accepted the event. */
export function isAccepted({ status }: Forwarded): boolean {
  return status !== undefined && status >= 200 && status < 300
}
