import { cleanText } from '@mintmark/server-kit'
import * as v from 'valibot'
import type { Payment, Upstream, UpstreamResponse } from '../../payment/payment.ts'
import { isBeforeBroadcast } from '../../payment/remote-refusals.ts'

export interface RemoteUpstreamOptions {
  /** The address of the other facilitator, without `/settle`. */
  readonly url: string
  /** Headers that authenticate with it, read for each call. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

// A settlement has a few hundred bytes.
const MAX_RESPONSE_BYTES = 1 << 20

const Transaction = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))
const CleanText = v.pipe(v.string(), v.transform(cleanText))
const Text = v.optional(v.nullable(CleanText))
const Settled = v.object({
  success: v.literal(true),
  transaction: Transaction,
  network: CleanText,
  payer: Text,
})
const NotSettled = v.object({
  success: v.literal(false),
  errorReason: Text,
  errorMessage: Text,
  transaction: Text,
  payer: Text,
})
const SettleResponse = v.variant('success', [Settled, NotSettled])

/**
 * Creates an upstream that forwards requests, as received, to a remote x402 facilitator.
 *
 * Only a well-formed 2xx, or a 4xx with a reason that precedes broadcast, has a known outcome. After any
 * other response the payment may have been executed, and is `lost`.
 */
export function createRemoteUpstream({ url, headers }: RemoteUpstreamOptions): Upstream {
  const address = new URL(`${url.replace(/\/+$/, '')}/settle`)
  return {
    async settle(payment, { signal }) {
      let response: Response
      let text: string
      try {
        response = await fetch(address, {
          method: 'POST',
          headers: { accept: 'application/json', ...(await headers?.()), 'content-type': 'application/json' },
          body: JSON.stringify(payment.request),
          // A redirect would send the payment to another server.
          redirect: 'manual',
          signal,
        })
        text = await readLimited(response)
      } catch (error) {
        if (signal.aborted) return lost('timeout', 'The upstream did not respond in time')
        return lost('reset', `The connection to the upstream failed: ${describe(error)}`)
      }
      return parseResponse(response, text, payment)
    },
  }
}

function parseResponse(response: Response, text: string, payment: Payment): UpstreamResponse {
  const { status: httpStatus } = response
  const parsed = v.safeParse(SettleResponse, parseJson(text) ?? readSettlementHeader(response))
  if (response.ok) {
    if (!parsed.success)
      return lost('malformed', 'The response of the upstream is not a settlement', httpStatus)
    const body = parsed.output
    if (body.success && body.network !== payment.wireNetwork && body.network !== payment.network) {
      return lost('malformed', `The upstream responded for the network ${body.network}`, httpStatus)
    }
    return { kind: 'responded', httpStatus, body: toSettlement(body, payment) }
  }
  if (httpStatus >= 400 && httpStatus < 500 && parsed.success && !parsed.output.success) {
    const { errorReason, errorMessage, transaction } = parsed.output
    if (errorReason && !transaction && isBeforeBroadcast(errorReason)) {
      return {
        kind: 'refused',
        httpStatus,
        reason: errorReason,
        ...(errorMessage && { message: errorMessage }),
      }
    }
  }
  const message = `The upstream responded with status ${httpStatus}`
  return { ...lost('status', message, httpStatus), ...readPendingTransaction(text) }
}

/** A pending response of another facilitator: x402's own, or that of our native API. */
const PendingResponse = v.object({ transaction: v.pipe(v.string(), v.regex(/^[0-9A-Za-z]{64,88}$/)) })

/** Reads the transaction of a response that does not say whether the payment was executed. */
function readPendingTransaction(text: string): { transaction?: string } {
  const parsed = v.safeParse(PendingResponse, parseJson(text))
  return parsed.success ? { transaction: parsed.output.transaction } : {}
}

function toSettlement(body: v.InferOutput<typeof SettleResponse>, payment: Payment) {
  const payer = body.payer ?? payment.payer
  if (body.success) return { success: true, payer, transaction: body.transaction, network: body.network }
  return {
    success: false,
    payer,
    transaction: body.transaction ?? '',
    network: payment.wireNetwork,
    ...(body.errorReason && { errorReason: body.errorReason }),
    ...(body.errorMessage && { errorMessage: body.errorMessage }),
  }
}

/**
 * Reads the settlement from the header of a facilitator that responds without a body, as our native API does.
 */
function readSettlementHeader(response: Response): unknown {
  const header = response.headers.get('payment-response')
  return header === null ? undefined : parseJson(Buffer.from(header, 'base64').toString('utf8'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller handles a response that is not JSON.
    return undefined
  }
}

async function readLimited(response: Response): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > MAX_RESPONSE_BYTES) throw new Error('The response is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function lost(
  why: Extract<UpstreamResponse, { kind: 'lost' }>['why'],
  message: string,
  httpStatus?: number,
): UpstreamResponse {
  return { kind: 'lost', why, message, ...(httpStatus !== undefined && { httpStatus }) }
}

/** Returns only a code or a kind, because messages of fetch can contain what was sent. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'unknown error'
}
