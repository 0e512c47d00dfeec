// Runs in every runtime, as a user's program would, with the published packages and web standards only.
// Returns what happened; the test compares it with what should have happened.
import { commemorativeCards } from '@mintmark/cards'
import * as promoCodeCards from '@mintmark/cards/promo-code-cards'
import { createSigner } from '@mintmark/core-auth'
import { isMintmarkError, NotFoundError } from '@mintmark/envelope'
import { events, signTestWebhook, verifyWebhook as verifyEvent } from '@mintmark/events'
import { InvalidWebhookError, micropaymentOrders, payments, verifyWebhook } from '@mintmark/facilitator'
import { createFacilitator, createGateway } from '@mintmark/transport'

/** A published vector of the scheme `v1`: a call, and its signature. */
export interface Vector {
  readonly secret: string
  readonly timestamp: string
  readonly method: string
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  readonly body: string
  readonly signature: string
}

/** The input of the program, passed to the runtime as JSON. */
export interface Input {
  readonly vectors: readonly Vector[]
  readonly gateway: { readonly baseUrl: string; readonly apiKey: string; readonly secret: string }
  /** Responds with the MAC of the body under the gateway's secret. */
  readonly keyService: string
  /** Gateways that fail in different ways. */
  readonly failing: {
    readonly hangs: string
    readonly breaks: string
    readonly leaves: string
    readonly unreachable: string
  }
  /** Whose commemorative cards are paged. */
  readonly creator: string
  readonly nftAddress: string
  readonly pageSize: number
  /** How many cards the project has in the end. Each has an event. */
  readonly events: number
  /** The name of the card that is created. */
  readonly cardName: string
  readonly facilitator: { readonly baseUrl: string; readonly token: string }
  /** A payment that is not settled yet. */
  readonly payment: Parameters<typeof payments.settle>[1]
  /** A delivery as the facilitator sent it. */
  readonly webhook: {
    readonly body: string
    readonly headers: Record<string, string>
    readonly secret: string
  }
}

const HOUR = 3_600_000

/** Returns the kind, reason or name of the error that a call fails with. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  try {
    return `no error: ${JSON.stringify(await promise)}`
  } catch (error) {
    if (isMintmarkError(error)) return error.kind
    if (error instanceof InvalidWebhookError) return error.reason
    return error instanceof Error || error instanceof DOMException ? error.name : String(error)
  }
}

/** The program signs in pages too, to test that the packages can. A real page has no secret. */
const dangerouslyAllowBrowser = true

/** Signs the published vectors, and observes whether WebCrypto computes their MACs. */
async function sign({ vectors }: Input) {
  let usedWebCrypto = false
  const signWithKey = crypto.subtle.sign
  crypto.subtle.sign = (...call) => {
    usedWebCrypto = true
    return signWithKey.apply(crypto.subtle, call)
  }
  const signatures: string[] = []
  for (const { secret, timestamp, method, path, query, body } of vectors) {
    const signer = createSigner({
      credentials: { apiKey: 'key', secret },
      dangerouslyAllowBrowser,
      now: () => Number(timestamp),
    })
    const headers = await signer.sign({
      method,
      path,
      query: new URLSearchParams(query.map(([name, value]) => [name, value])).toString(),
      body: new TextEncoder().encode(body),
    })
    signatures.push(headers['x-signature'])
  }
  crypto.subtle.sign = signWithKey
  return { signatures, by: usedWebCrypto ? 'WebCrypto' : "Node's crypto" }
}

/**
 * Creates a card although the first response is lost, reads it, requests a missing one, and calls with a
 * wrong clock.
 */
async function call({ gateway: { baseUrl, apiKey, secret }, keyService, nftAddress, cardName }: Input) {
  let sent = 0
  const unreliable = createGateway({
    baseUrl,
    credentials: { apiKey, secret },
    dangerouslyAllowBrowser,
    async fetch(url, init) {
      const response = await fetch(url, init)
      sent += 1
      if (sent > 1) return response
      await response.text()
      throw new TypeError('the connection was lost')
    },
  })
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }
  const created = await promoCodeCards.create(
    unreliable,
    { name: cardName, nftAddress, totalIssued: 7, ...times },
    { idempotencyKey: 'auto' },
  )

  const withKeyService = createGateway({
    baseUrl,
    credentials: {
      apiKey,
      async sign(stringToSign) {
        const response = await fetch(keyService, { method: 'POST', body: stringToSign })
        if (!response.ok) throw new Error(`the key service responded with ${response.status}`)
        return new Uint8Array(await response.arrayBuffer())
      },
    },
  })
  const read = await promoCodeCards.get(withKeyService, { id: created.id })
  const missing: unknown = await promoCodeCards
    .get(withKeyService, { id: created.id + 1_000_000 })
    .catch((error: unknown) => error)

  let attempts = 0
  const late = createGateway({
    baseUrl,
    credentials: { apiKey, secret },
    dangerouslyAllowBrowser,
    now: () => Date.now() - HOUR,
    hooks: { onRequest: () => void attempts++ },
  })
  const corrected = await promoCodeCards.get(late, { id: created.id })
  return {
    created: { id: created.id, name: created.name, attempts: sent },
    read: { id: read.id, name: read.name },
    missing:
      missing instanceof NotFoundError
        ? { kind: missing.kind, requestId: missing.requestId }
        : String(missing),
    corrected: { id: corrected.id, attempts },
  }
}

/** Reads a list over its pages. */
async function page({ gateway: { baseUrl, ...credentials }, creator, pageSize }: Input) {
  let requests = 0
  const gateway = createGateway({
    baseUrl,
    credentials,
    dangerouslyAllowBrowser,
    hooks: { onRequest: () => void requests++ },
  })
  const names: string[] = []
  for await (const card of commemorativeCards.listByCreator.items(gateway, { creator, pageSize })) {
    names.push(card.name)
  }
  return { requests, names }
}

/** Reads from and writes to gateways that fail, and returns the kinds of the errors. */
async function fail({ gateway: { baseUrl: _, ...credentials }, failing, cardName, nftAddress }: Input) {
  const client = (baseUrl: string) =>
    createGateway({ baseUrl, credentials, dangerouslyAllowBrowser, retries: 0 })
  const read = (baseUrl: string, options?: { timeout?: number; signal?: AbortSignal }) =>
    failureOf(promoCodeCards.get(client(baseUrl), { id: 1 }, options))
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-01-01T00:00:00Z' }
  const write = (baseUrl: string) =>
    failureOf(
      promoCodeCards.create(client(baseUrl), { name: cardName, nftAddress, totalIssued: 1, ...times }),
    )
  return {
    late: await read(failing.hangs, { timeout: 200 }),
    aborted: await read(failing.hangs, { signal: AbortSignal.timeout(200) }),
    broken: [await read(failing.breaks), await write(failing.breaks)],
    unreached: [await read(failing.unreachable), await write(failing.unreachable)],
    redirected: [await read(failing.leaves), await write(failing.leaves)],
  }
}

/** Verifies a delivery, an altered one, and one that is two hours late. */
async function verify({ webhook: { body, headers, secret } }: Input) {
  // The delivery is as old as the runtimes took that ran before.
  const delivery = { body, headers, secrets: secret, toleranceSeconds: HOUR / 1000 }
  const { id, type } = await verifyWebhook(delivery)
  return {
    event: { id, type },
    altered: await failureOf(verifyWebhook({ ...delivery, body: body.replace('settled', 'failed') })),
    late: await failureOf(verifyWebhook({ ...delivery, now: () => Date.now() + 2 * HOUR })),
  }
}

/** Passes on the first message of a stream, and then fails as a lost connection does. */
function cutAfterFirstMessage(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let text = ''
  let isCut = false
  return new ReadableStream(
    {
      async pull(controller) {
        if (isCut) {
          await reader.cancel()
          controller.error(new TypeError('the connection was lost'))
          return
        }
        const decoder = new TextDecoder()
        for (;;) {
          const [, message] = /^([\s\S]*?data:[\s\S]*?\n\n)/.exec(text) ?? []
          if (message !== undefined) {
            isCut = true
            controller.enqueue(new TextEncoder().encode(message))
            return
          }
          const { value, done } = await reader.read()
          if (done) throw new Error('The stream has ended without an event')
          text += decoder.decode(value, { stream: true })
        }
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads the events of all cards from a stream whose first connection is lost after one event. */
async function stream({ gateway: { baseUrl, ...credentials }, events: count }: Input) {
  let connections = 0
  const gateway = createGateway({
    baseUrl,
    credentials,
    dangerouslyAllowBrowser,
    async fetch(url, init) {
      const response = await fetch(url, init)
      connections += 1
      if (connections > 1 || response.body === null) return response
      const { status, headers } = response
      return new Response(cutAfterFirstMessage(response.body), { status, headers })
    },
  })
  const subjects: string[] = []
  const signal = AbortSignal.timeout(HOUR / 60)
  for await (const { subject } of events.stream(gateway, { types: events.toTypes('card.created'), signal })) {
    subjects.push(subject)
    if (subjects.length === count) break
  }
  return { connections, subjects }
}

/** Verifies a signed event, and an altered one. */
async function verifyEvents() {
  const secret = `whsec_${btoa('a secret of thirty-two characters')}`
  const event = { id: 'evt_7', type: 'webhook.test', subject: 'webhook/7', data: { webhookId: 7 } }
  const sent = await signTestWebhook(event, secret)
  const delivery = { body: sent.body, headers: sent.headers, secrets: secret }
  const { id } = await verifyEvent(delivery)
  return { id, altered: await failureOf(verifyEvent({ ...delivery, body: sent.body.replace('7', '8') })) }
}

/** Settles a payment, finds its order, and calls without a key. */
async function settle({ facilitator: { baseUrl, token }, payment }: Input) {
  const facilitator = createFacilitator({ baseUrl, credentials: { token }, dangerouslyAllowBrowser })
  const settlement = await payments.settle(facilitator, payment)
  const { list: orders } = await micropaymentOrders.list(facilitator)
  return {
    settlement,
    orders: orders.map(({ transaction, status }) => ({ transaction, status })),
    stranger: await failureOf(micropaymentOrders.list(createFacilitator({ baseUrl }))),
  }
}

/** What the program returns. */
export interface Result {
  readonly sign: Awaited<ReturnType<typeof sign>>
  readonly call: Awaited<ReturnType<typeof call>>
  readonly page: Awaited<ReturnType<typeof page>>
  readonly fail: Awaited<ReturnType<typeof fail>>
  readonly verify: Awaited<ReturnType<typeof verify>>
  readonly settle: Awaited<ReturnType<typeof settle>>
  readonly stream: Awaited<ReturnType<typeof stream>>
  readonly verifyEvents: Awaited<ReturnType<typeof verifyEvents>>
}

/** Signs, calls, pages, verifies webhooks, settles a payment and reads the stream of events. */
export async function program(given: Input): Promise<Result> {
  return {
    sign: await sign(given),
    call: await call(given),
    page: await page(given),
    fail: await fail(given),
    verify: await verify(given),
    settle: await settle(given),
    stream: await stream(given),
    verifyEvents: await verifyEvents(),
  }
}
