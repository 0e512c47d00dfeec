import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import type { Address } from 'viem'
import { executePayment, type PaymentBody } from '../engine/testing-execution.ts'
import type { Reorganizer } from './faulty-chain.ts'

/** A remote facilitator that makes some payments, responds to some calls, and rarely does both correctly. */
export interface BadUpstream {
  readonly url: string
  /**
   * The number of settle requests by nonce, without those that it definitely refused: they may be repeated.
   */
  readonly calls: ReadonlyMap<string, number>
  /** Nonces with a well-formed 2xx response, even if the caller was dead by then. */
  readonly answered: ReadonlySet<string>
}

interface Answer {
  readonly status: number
  /** Text is sent as it is. Fields are completed to a settle response. */
  readonly body:
    | string
    | { readonly success: boolean; readonly errorReason?: string; readonly transaction?: '' }
  /** Nothing was sent to the chain, definitely. */
  readonly refuses?: true
}

const unexpected = { success: false, errorReason: 'unexpected_settle_error' }
const insufficient = { success: false, errorReason: 'insufficient_funds' }

const settled: Answer = { status: 200, body: { success: true } }
const failed: Answer = { status: 500, body: { ...unexpected, transaction: '' } }
const badGateway: Answer = { status: 502, body: '<html>Bad gateway</html>' }
const malformed: Answer = { status: 200, body: '{"ok":1}' }
const truncated: Answer = { status: 200, body: '{"success":true,"transaction":"0x' }
const notSettledPerhaps: Answer = { status: 200, body: unexpected }
const notSent: Answer = { status: 200, body: insufficient, refuses: true }
const refused: Answer = { status: 400, body: insufficient, refuses: true }

/** Whether it makes the payment, and how it responds. */
const BEHAVIORS: readonly (readonly [pays: boolean, Answer | 'hang' | 'reset'])[] = [
  [true, settled],
  [true, settled],
  [true, settled],
  [true, settled],
  [true, 'hang'],
  [true, 'reset'],
  [true, failed],
  [true, malformed],
  [true, truncated],
  [true, notSettledPerhaps],
  [false, 'hang'],
  [false, 'reset'],
  [false, failed],
  [false, badGateway],
  [false, malformed],
  [false, notSent],
  [false, notSettledPerhaps],
  [false, refused],
]

/**
 * Starts a bad upstream on a free port. Its behavior depends only on the payment's nonce, so that a run can
 * be repeated.
 *
 * @param sender The dev chain's account that makes the payments. `send` sends its transactions.
 */
export async function startBadUpstream(
  client: AnvilClient,
  { sender, send }: { readonly sender: Address; readonly send: Reorganizer['send'] },
  stops: AsyncDisposableStack,
): Promise<BadUpstream> {
  const calls = new Map<string, number>()
  const answered = new Set<string>()

  async function settle(body: PaymentBody, response: ServerResponse): Promise<void> {
    const { nonce } = body.paymentPayload.payload.authorization
    const [pays, answer] = BEHAVIORS[Number.parseInt(nonce.slice(2, 10), 16) % BEHAVIORS.length] ?? [
      true,
      settled,
    ]
    const refuses = typeof answer === 'object' && answer.refuses
    if (!refuses) calls.set(nonce, (calls.get(nonce) ?? 0) + 1)
    const transaction = pays ? await send(() => executePayment(client, sender, body)) : ''
    if (transaction !== '') await client.waitForTransactionReceipt({ hash: transaction })
    if (answer === 'hang') return
    if (answer === 'reset') return void response.socket?.resetAndDestroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    if (typeof answer.body === 'string') return void response.end(answer.body)
    if (answer.status === 200) answered.add(nonce)
    const { network } = body.paymentRequirements
    response.end(JSON.stringify({ network, transaction, ...answer.body }))
  }

  const url = await serveLocally(async (request, response) => {
    try {
      await settle((await json(request)) as PaymentBody, response)
    } catch (error) {
      // The caller was killed while it sent the request. Other errors show in the payments' outcomes.
      response.destroy(error instanceof Error ? error : undefined)
    }
  }, stops)
  return { url, calls, answered }
}
