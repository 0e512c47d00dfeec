import * as v from 'valibot'
import type { Payment, Upstream, UpstreamAnswer } from '../payment.ts'
import { comesBeforeBroadcast } from './refusals.ts'

export interface RemoteUpstreamOptions {
  /** The other facilitator's address; `/settle` is added to it. */
  readonly url: string
  /** Its own authentication, asked for at each call. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

// A settlement is a few hundred bytes; more than this is no answer.
const largestAnswer = 1 << 20

const Transaction = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/))
const Text = v.optional(v.nullable(v.string()))
const Settled = v.object({
  success: v.literal(true),
  transaction: Transaction,
  network: v.string(),
  payer: Text,
})
const NotSettled = v.object({
  success: v.literal(false),
  errorReason: Text,
  errorMessage: Text,
  transaction: Text,
  payer: Text,
})
const Answer = v.variant('success', [Settled, NotSettled])

/**
 * A remote x402 facilitator as upstream. The request goes there as it was received.
 *
 * Only a well-formed 2xx, or a 4xx with a reason that comes before broadcast, is an answer; after everything else the
 * payment may have been executed, and is `lost`.
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
          // Followed, a 307 would send the payment somewhere else.
          redirect: 'manual',
          signal,
        })
        text = await readLimited(response)
      } catch (error) {
        if (signal.aborted) return lost('timeout', 'the upstream did not answer in time')
        return lost('reset', `the connection to the upstream failed: ${describe(error)}`)
      }
      return judge(response, text, payment)
    },
  }
}

function judge(response: Response, text: string, payment: Payment): UpstreamAnswer {
  const { status: httpStatus } = response
  const answer = v.safeParse(Answer, parseJson(text) ?? settlementHeader(response))
  if (response.ok) {
    if (!answer.success)
      return lost('malformed', 'the upstream answered something else than a settlement', httpStatus)
    const body = answer.output
    if (body.success && body.network !== payment.wireNetwork && body.network !== payment.network) {
      return lost('malformed', `the upstream answered for the network ${body.network}`, httpStatus)
    }
    return { kind: 'answered', httpStatus, body: settlement(body, payment) }
  }
  if (httpStatus >= 400 && httpStatus < 500 && answer.success && !answer.output.success) {
    const { errorReason, errorMessage, transaction } = answer.output
    if (errorReason && !transaction && comesBeforeBroadcast(errorReason)) {
      return {
        kind: 'refused',
        httpStatus,
        reason: errorReason,
        ...(errorMessage && { message: errorMessage }),
      }
    }
  }
  return lost('status', `the upstream answered ${httpStatus}`, httpStatus)
}

function settlement(body: v.InferOutput<typeof Answer>, payment: Payment) {
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

/** A facilitator that settles without a body, as ours does at its root, tells the settlement in a header. */
function settlementHeader(response: Response): unknown {
  const header = response.headers.get('payment-response')
  return header === null ? undefined : parseJson(Buffer.from(header, 'base64').toString('utf8'))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is one of the things an answer can be; the caller judges it.
    return undefined
  }
}

async function readLimited(response: Response): Promise<string> {
  if (response.body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > largestAnswer) throw new Error('the answer does not end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function lost(
  why: Extract<UpstreamAnswer, { kind: 'lost' }>['why'],
  message: string,
  httpStatus?: number,
): UpstreamAnswer {
  return { kind: 'lost', why, message, ...(httpStatus !== undefined && { httpStatus }) }
}

/** A code or a kind only: messages of fetch can repeat what was sent. */
function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.name : 'unknown error'
}
