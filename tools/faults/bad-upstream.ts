import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Address } from 'viem'
import type { signedBody } from '../../packages/facilitator-server/src/payment/testing.ts'
import { devUsdcAbi } from '../devchain/artifacts/abi.ts'
import { type AnvilClient, tokenAddress } from '../devchain/chain.ts'

type Body = Awaited<ReturnType<typeof signedBody>>

/** A remote facilitator that settles some payments, answers some calls, and seldom both as it should. */
export interface BadUpstream {
  readonly url: string
  /** How often it was called to settle a nonce, without the calls that it definitely refused: those may be repeated. */
  readonly calls: ReadonlyMap<string, number>
  /** Nonces for which it sent a well-formed 2xx, whether or not anybody was there to hear it. */
  readonly answered: ReadonlySet<string>
  stop(): void
}

/** What it does with a payment: whether it makes it, and how it answers then. */
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
 * Starts a bad upstream on a free port. What it does with a payment follows from the payment's nonce alone, so that a
 * run can be repeated.
 *
 * @param sender the account that makes the payments; one of the dev chain's, which needs no signature from us.
 */
export async function startBadUpstream(client: AnvilClient, sender: Address): Promise<BadUpstream> {
  const calls = new Map<string, number>()
  const answered = new Set<string>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
      await settle(JSON.parse(Buffer.concat(chunks).toString()) as Body, response)
    } catch (error) {
      // The caller was killed while it spoke. Anything else shows in what becomes of the payments.
      response.destroy(error instanceof Error ? error : undefined)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function settle(body: Body, response: ServerResponse): Promise<void> {
    const { nonce } = body.paymentPayload.payload.authorization
    const [pays, answer] = ways[Number.parseInt(nonce.slice(2, 10), 16) % ways.length] ?? [true, 'settled']
    const refuses = answer === 'refused' || answer === 'not settled, and nothing was sent'
    if (!refuses) calls.set(nonce, (calls.get(nonce) ?? 0) + 1)
    const transaction = pays ? await pay(body) : ''
    const { network } = body.paymentRequirements
    const tell = (status: number, told: object | string) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof told === 'string' ? told : JSON.stringify(told))
    }
    const wellFormed = (told: object) => {
      answered.add(nonce)
      tell(200, { network, transaction, ...told })
    }
    switch (answer) {
      case 'settled':
        return wellFormed({ success: true })
      case 'hang':
        return
      case 'reset':
        return void response.socket?.resetAndDestroy()
      case 'status 500':
        return tell(500, { success: false, errorReason: 'unexpected_settle_error', transaction: '', network })
      case 'status 502':
        return tell(502, '<html>Bad gateway</html>')
      case 'malformed':
        return tell(200, '{"ok":1}')
      case 'half':
        return tell(200, '{"success":true,"transaction":"0x')
      case 'not settled, and nothing was sent':
        return wellFormed({ success: false, errorReason: 'insufficient_funds' })
      case 'not settled, perhaps':
        return wellFormed({ success: false, errorReason: 'unexpected_settle_error' })
      case 'refused':
        return tell(400, { success: false, errorReason: 'insufficient_funds', transaction: '', network })
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

  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the upstream has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls,
    answered,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
