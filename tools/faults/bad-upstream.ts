import type { ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { type AnvilClient, tokenAddress } from '@mintmark/devkit/chain/chain'
import type { Address } from 'viem'
import type { signedBody } from '../../packages/facilitator-server/src/payments/testing.ts'
import { serveLocally } from '../http.ts'

type Body = Awaited<ReturnType<typeof signedBody>>

/** A remote facilitator that makes some payments, responds to some calls, and rarely does both correctly. */
export interface BadUpstream {
  readonly url: string
  /** The number of settle requests by nonce, without those that it definitely refused: they may be repeated. */
  readonly calls: ReadonlyMap<string, number>
  /** Nonces with a well-formed 2xx response, even if the caller was dead by then. */
  readonly answered: ReadonlySet<string>
}

/** How it responds after it has made the payment or not. */
type Answer =
  | 'settled'
  | 'hang'
  | 'reset'
  | 'status 500'
  | 'status 502'
  | 'malformed'
  | 'half'
  | 'not settled, and nothing was sent'
  | 'not settled, perhaps'
  | 'refused'

const ways: readonly [pays: boolean, Answer][] = [
  [true, 'settled'],
  [true, 'settled'],
  [true, 'settled'],
  [true, 'settled'],
  [true, 'hang'],
  [true, 'reset'],
  [true, 'status 500'],
  [true, 'malformed'],
  [true, 'half'],
  [true, 'not settled, perhaps'],
  [false, 'hang'],
  [false, 'reset'],
  [false, 'status 500'],
  [false, 'status 502'],
  [false, 'malformed'],
  [false, 'not settled, and nothing was sent'],
  [false, 'not settled, perhaps'],
  [false, 'refused'],
]

/**
 * Starts a bad upstream on a free port. Its behavior depends only on the payment's nonce, so that a run can be repeated.
 *
 * @param sender the dev chain's account that makes the payments.
 */
export async function startBadUpstream(
  client: AnvilClient,
  sender: Address,
  stops: AsyncDisposableStack,
): Promise<BadUpstream> {
  const calls = new Map<string, number>()
  const answered = new Set<string>()
  const url = await serveLocally(async (request, response) => {
    try {
      await settle((await json(request)) as Body, response)
    } catch (error) {
      // The caller was killed while it sent the request. Other errors show in what becomes of the payments.
      response.destroy(error instanceof Error ? error : undefined)
    }
  }, stops)

  async function settle(body: Body, response: ServerResponse): Promise<void> {
    const { nonce } = body.paymentPayload.payload.authorization
    const [pays, answer] = ways[Number.parseInt(nonce.slice(2, 10), 16) % ways.length] ?? [true, 'settled']
    const refuses = answer === 'refused' || answer === 'not settled, and nothing was sent'
    if (!refuses) calls.set(nonce, (calls.get(nonce) ?? 0) + 1)
    const transaction = pays ? await pay(body) : ''
    const { network } = body.paymentRequirements
    const respond = (status: number, body: object | string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    const wellFormed = (fields: object) => {
      answered.add(nonce)
      respond(200, { network, transaction, ...fields })
    }
    switch (answer) {
      case 'settled':
        return wellFormed({ success: true })
      case 'hang':
        return
      case 'reset':
        return void response.socket?.resetAndDestroy()
      case 'status 500':
        return respond(500, {
          success: false,
          errorReason: 'unexpected_settle_error',
          transaction: '',
          network,
        })
      case 'status 502':
        return respond(502, '<html>Bad gateway</html>')
      case 'malformed':
        return respond(200, '{"ok":1}')
      case 'half':
        return respond(200, '{"success":true,"transaction":"0x')
      case 'not settled, and nothing was sent':
        return wellFormed({ success: false, errorReason: 'insufficient_funds' })
      case 'not settled, perhaps':
        return wellFormed({ success: false, errorReason: 'unexpected_settle_error' })
      case 'refused':
        return respond(400, { success: false, errorReason: 'insufficient_funds', transaction: '', network })
    }
  }

  async function pay(body: Body): Promise<string> {
    const { authorization, signature } = body.paymentPayload.payload
    const { from, to, value, validAfter, validBefore, nonce } = authorization
    // The body came from us: its texts are addresses and hexadecimal digits.
    const hash = await client.writeContract({
      account: sender,
      address: tokenAddress,
      abi: devUsdcAbi,
      functionName: 'transferWithAuthorization',
      args: [
        from as Address,
        to as Address,
        BigInt(value),
        BigInt(validAfter),
        BigInt(validBefore),
        nonce as Address,
        signature as Address,
      ],
    })
    await client.waitForTransactionReceipt({ hash })
    return hash
  }

  return { url, calls, answered }
}
