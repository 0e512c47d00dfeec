import { setTimeout as pause } from 'node:timers/promises'
import { promoCodeCards } from '@mintmark/cards'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { receiver } from '@mintmark/devkit/testing'
import { isMintmarkError } from '@mintmark/envelope'
import { events, eventWebhooks } from '@mintmark/events'
import type { GatewayClient } from '@mintmark/operation'
import { signedBody } from '../../../packages/facilitator-server/src/engine/testing.ts'

/** The callers of a gateway at a time, and of a facilitator. */
const WRITERS = 2
const SETTLERS = 1
/** A caller pauses for as long after a call that failed. */
const RETRY_MS = 50

export const CARD = {
  name: 'Two for one',
  nftAddress: '0x00000000000000000000000000000000000000aa',
  startTime: '2026-01-01T00:00:00Z',
  endTime: '2099-12-31T23:59:59Z',
  totalIssued: 100,
}

/** What callers sent and received so far. */
export interface Load {
  /** The ids of cards whose creation was confirmed. */
  readonly cards: ReadonlySet<number>
  /** The nonces of payments whose settlement was confirmed. */
  readonly settled: ReadonlySet<string>
  /** The statuses of calls that failed, and how often. */
  readonly failures: ReadonlyMap<string, number>
  /**
   * The numbers of all events in the order of a stream, the cards of those that report a new card, and the cards that
   * several report.
   */
  readonly streamed: {
    readonly sequences: readonly number[]
    readonly cards: ReadonlySet<number>
    readonly repeated: readonly number[]
  }
  readonly hasWebhook: boolean
  /** The cards of events that a webhook received. */
  readonly delivered: ReadonlySet<number>
  /** Ends the calls, and waits for those in progress. The stream and the webhook continue. */
  stopCalls(): Promise<void>
  close(): Promise<void>
}

export interface LoadOptions {
  readonly gateway: GatewayClient
  readonly facilitatorUrl: string
  readonly token: string
  /**
   * Whether a webhook receives the events. It waits for a minute after each failover: the attempts that were in
   * progress must have expired.
   */
  readonly hasWebhook: boolean
}

/** Starts callers of both servers, which repeat what fails, a stream of events and a webhook. */
export async function startLoad({ gateway, facilitatorUrl, token, hasWebhook }: LoadOptions): Promise<Load> {
  const stopping = new AbortController()
  const reading = new AbortController()
  const load = {
    cards: new Set<number>(),
    settled: new Set<string>(),
    failures: new Map<string, number>(),
    streamed: { sequences: [] as number[], cards: new Set<number>(), repeated: [] as number[] },
    delivered: new Set<number>(),
  }
  const countFailure = async (status: unknown) => {
    load.failures.set(String(status), (load.failures.get(String(status)) ?? 0) + 1)
    await pause(RETRY_MS)
  }
  const hook = await receiver((response) => {
    const event = JSON.parse(hook.received.at(-1)?.body ?? '{}')
    if (event.type === 'card.created') load.delivered.add(event.data.card.id)
    response.writeHead(204).end()
  })
  if (hasWebhook) await eventWebhooks.configure(gateway, { url: hook.url })

  const createCards = async () => {
    while (!stopping.signal.aborted) {
      const idempotencyKey = crypto.randomUUID()
      for (let isDone = false; !isDone; ) {
        try {
          load.cards.add((await promoCodeCards.create(gateway, CARD, { idempotencyKey })).id)
          isDone = true
        } catch (error) {
          await countFailure(isMintmarkError(error) ? (error.status ?? error.kind) : error)
        }
      }
    }
  }
  const settle = async () => {
    while (!stopping.signal.aborted) {
      const body = await signedBody({ account: devAccount(1) })
      for (let isDone = false; !isDone; ) {
        const status = await post(`${facilitatorUrl}/settle`, token, body)
        isDone = status === 200
        if (isDone) load.settled.add(body.paymentPayload.payload.authorization.nonce)
        else await countFailure(status)
      }
    }
  }
  const readStream = async () => {
    for await (const event of events.stream(gateway, { after: 0, signal: reading.signal })) {
      const { sequences, cards, repeated } = load.streamed
      sequences.push(event.sequence)
      if (event.type !== 'card.created') continue
      const { id } = event.data.card
      if (cards.has(id)) repeated.push(id)
      cards.add(id)
    }
  }
  const calls = Promise.all([
    ...Array.from({ length: WRITERS }, createCards),
    ...Array.from({ length: SETTLERS }, settle),
  ])
  const streaming = readStream().catch((error: unknown) => {
    if (!reading.signal.aborted) throw error
  })
  return {
    ...load,
    hasWebhook,
    async stopCalls() {
      stopping.abort()
      await calls
    },
    async close() {
      stopping.abort()
      reading.abort()
      await Promise.all([calls, streaming])
      await hook.close()
    },
  }
}

async function post(url: string, token: string, body: object): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  await response.text()
  return response.status
}
