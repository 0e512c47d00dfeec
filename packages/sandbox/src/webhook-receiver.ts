import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serveLocally } from '@mintmark/devkit'
import { InvalidWebhookError, verifyWebhookMessage } from '@mintmark/envelope'
import { eventTypes, type GatewayEvent } from '@mintmark/events'
import type { WebhookEvent } from '@mintmark/facilitator'
import { parseDuration } from './duration.ts'
import type { EventKey } from './snapshot-database.ts'
import type { Stops } from './stops.ts'

/** An event that either server delivered. */
export type ReceivedWebhook = GatewayEvent | WebhookEvent

/** A received event of a type, with its data. */
export type ReceivedWebhookOf<Type> = Extract<ReceivedWebhook, { readonly type: Type }>

/**
 * A receiver of webhooks. It receives all events of the sandbox's project and account, and verifies their
 * signatures.
 */
export interface SandboxWebhooks {
  /** Where it listens, for webhooks that a program configures itself. */
  readonly url: string
  /**
   * Also accepts messages that are signed with the secret of another webhook, `whsec_…`.
   *
   * @throws TypeError if the secret is empty or malformed.
   */
  trust(secret: string): void
  /** Lists what was received since the start or the last reset, oldest first: at most the latest 10,000. */
  received(): readonly ReceivedWebhook[]
  /**
   * Returns the first event of a type since the start or the last reset. Waits for it if it has not been
   * received yet.
   *
   * @throws Error after `timeout`, 10 seconds by default.
   * @throws TypeError if neither server has events of this type.
   * @example
   * const { data } = await sandbox.webhooks.waitFor('settlement.settled')
   */
  waitFor<Type extends ReceivedWebhook['type']>(
    type: Type,
    options?: { readonly timeout?: number | string },
  ): Promise<ReceivedWebhookOf<Type>>
}

/** The receiver, with what only the sandbox does. */
export interface WebhookReceiver extends SandboxWebhooks {
  /** Empties the list of what was received, and ignores these events if they arrive later. */
  forget(removed: readonly EventKey[]): void
}

/** The types of the facilitator's events. Those of the gateway are `eventTypes`. */
const FACILITATOR_TYPES: Readonly<Record<WebhookEvent['type'], true>> = {
  'settlement.settled': true,
  'settlement.failed': true,
  'settlement.unknown': true,
  'settlement.reconciled': true,
  'payment.refunded': true,
  'payer_quota.registered': true,
  'payer_quota.revoked': true,
  'payer_quota.exhausted': true,
  'payer_balance.credited': true,
  'payer_balance.low': true,
}

/** A sandbox that runs for long keeps only the latest. */
const MAX_RECEIVED = 10_000

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startWebhookReceiver(stops: Stops): Promise<WebhookReceiver> {
  const secrets: string[] = []
  const received: ReceivedWebhook[] = []
  const listeners = new Set<() => void>()
  const ignored = new Set<string>()
  const receive: RequestListener = async (request, response) => {
    const event = await readWebhook(request, response, secrets)
    if (event === undefined || ignored.has(formatKey(event))) return
    received.push(event)
    if (received.length > MAX_RECEIVED) received.shift()
    for (const listener of listeners) listener()
  }
  const address = await serveLocally(receive, stops)
  return {
    url: `${address}/webhooks`,
    trust(secret) {
      refuseMalformedSecret(secret)
      secrets.push(secret)
    },
    received: () => [...received],
    forget(removed) {
      received.splice(0)
      for (const { id, time } of removed) ignored.add(`${id} ${time}`)
      // The oldest are no longer delivered.
      for (const key of [...ignored].slice(0, -MAX_RECEIVED)) ignored.delete(key)
    },
    async waitFor(type, { timeout = '10s' } = {}) {
      refuseUnknownType(type)
      return await waitForWebhook({ type, timeout, received, listeners })
    },
  }
}

function formatKey(event: ReceivedWebhook): string {
  return `${event.id} ${'time' in event ? event.time : event.occurredAt}`
}

/** Throws for a secret that cannot verify anything. With one of them, no message at all can be verified. */
function refuseMalformedSecret(secret: string): void {
  try {
    if (atob(secret.replace(/^whsec_/, '')) !== '') return
  } catch {
    // Reported below, like an empty secret.
  }
  throw new TypeError(
    'The webhook secret is empty or malformed. Pass the secret that starts with whsec_, unchanged',
  )
}

function refuseUnknownType(type: string): void {
  const types = [...Object.keys(eventTypes), ...Object.keys(FACILITATOR_TYPES)]
  if (types.includes(type)) return
  const [group] = type.split('.')
  const similar = types.filter((each) => each.startsWith(`${group}.`))
  throw new TypeError(
    `There are no events of the type ${type}. Choose ${(similar.length > 0 ? similar : types).join(', ')}`,
  )
}

interface Wait<Type> {
  readonly type: Type
  readonly timeout: number | string
  readonly received: readonly ReceivedWebhook[]
  readonly listeners: Set<() => void>
}

function waitForWebhook<Type extends ReceivedWebhook['type']>({
  type,
  timeout,
  received,
  listeners,
}: Wait<Type>): Promise<ReceivedWebhookOf<Type>> {
  const isOfType = (event: ReceivedWebhook): event is ReceivedWebhookOf<Type> => event.type === type
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      listeners.delete(find)
    }
    const find = () => {
      const event = received.find(isOfType)
      if (event === undefined) return
      stop()
      resolve(event)
    }
    const timer = setTimeout(() => {
      stop()
      const types = received.map((event) => event.type).join(', ') || 'none'
      reject(new Error(`No webhook of the type ${type} was received. Received: ${types}`))
    }, parseDuration(timeout))
    listeners.add(find)
    find()
  })
}

/** Verifies a message and responds to it. Returns undefined when no secret has signed it. */
async function readWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  secrets: readonly string[],
): Promise<ReceivedWebhook | undefined> {
  try {
    const body = await buffer(request)
    const event = await verifyWebhookMessage<ReceivedWebhook>({ body, headers: request.headers, secrets })
    response.writeHead(204).end()
    return event
  } catch (error) {
    response.writeHead(error instanceof InvalidWebhookError ? 400 : 500).end(String(error))
    return undefined
  }
}
