import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { x402Facilitator } from '@x402/core/facilitator'
import type { Network } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { type Context, Hono } from 'hono'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { accountClient, devChainId } from './chain.ts'
import { networkNames, type PaymentRequest, readPaymentRequest, UnusableRequest } from './upstream-request.ts'
import { facilitatorSigner } from './upstream-signer.ts'

export interface ReferenceFacilitatorOptions {
  /** The dev chain's RPC URL. */
  rpcUrl: string
  /** The port on 127.0.0.1. Default 0, any free one. */
  port?: number
  /**
   * The account that sends settlements and pays their gas. Nothing else may send from it meanwhile, or nonces
   * collide.
   */
  privateKey: Hex
}

/** A running reference facilitator. */
export interface ReferenceFacilitator {
  /** The base URL, without a slash at its end; `/verify`, `/settle` and `/supported` are below it. */
  readonly url: string
  /** Stops accepting requests and resolves when those in flight have completed. */
  stop(): Promise<void>
}

/**
 * Starts a facilitator made of the x402 packages' own classes: scheme exact, x402 versions 1 and 2, on the
 * dev chain.
 *
 * `POST /verify` and `POST /settle` return the result of the classes with status 200 for both outcomes; a
 * settle responds after its receipt. A request that the classes cannot process gets 400, and one that fails
 * 500, in the same form: `isValid: false` or `success: false` with an x402 reason.
 *
 * @throws Error when `rpcUrl` is not a dev chain, or the port is in use.
 */
export async function startReferenceFacilitator(
  options: ReferenceFacilitatorOptions,
): Promise<ReferenceFacilitator> {
  const client = accountClient(options.rpcUrl, privateKeyToAccount(options.privateKey))
  const chainId = await client.getChainId()
  if (chainId !== devChainId)
    throw new Error(`${options.rpcUrl} is chain ${chainId}, not the dev chain ${devChainId}`)

  const signer = facilitatorSigner(client)
  // Without simulation, a used authorization would be broadcast and cost gas.
  const scheme = { simulateInSettle: true }
  const facilitator = new x402Facilitator()
    .register(networkNames[2], new ExactEvmScheme(signer, scheme))
    // The package's type requires version 2 names, although its code registers version 1 names.
    .registerV1(networkNames[1] as Network, new ExactEvmSchemeV1(signer, scheme))

  const server = createAdaptorServer({ fetch: facilitatorApp(facilitator).fetch })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a host and port has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  }
}

function facilitatorApp(facilitator: x402Facilitator): Hono {
  // One settle at a time: the signer reads its nonce from the chain, so two would use the same one.
  const inTurn = queue()
  const app = new Hono()
  app.get('/supported', (c) => c.json(facilitator.getSupported()))
  app.post('/verify', (c) =>
    answer(
      c,
      ({ payload, requirements }) => facilitator.verify(payload, requirements),
      (reason, message) => ({ isValid: false, invalidReason: reason, invalidMessage: message }),
      'unexpected_verify_error',
    ),
  )
  app.post('/settle', (c) =>
    answer(
      c,
      ({ payload, requirements }) => inTurn(() => facilitator.settle(payload, requirements)),
      (reason, message) => ({
        success: false,
        errorReason: reason,
        errorMessage: message,
        transaction: '',
        network: networkNames[2],
      }),
      'unexpected_settle_error',
    ),
  )
  return app
}

async function answer(
  c: Context,
  perform: (request: PaymentRequest) => Promise<object>,
  refusal: (reason: string, message: string) => object,
  unexpected: string,
): Promise<Response> {
  try {
    return c.json(await perform(readPaymentRequest(await readJson(c))))
  } catch (error) {
    if (error instanceof UnusableRequest) return c.json(refusal(error.reason, error.message), 400)
    return c.json(refusal(unexpected, error instanceof Error ? error.message : String(error)), 500)
  }
}

async function readJson(c: Context): Promise<unknown> {
  const text = await c.req.text()
  try {
    return JSON.parse(text)
  } catch {
    throw new UnusableRequest('invalid_payload', 'The body is not JSON')
  }
}

/** Creates a queue that runs tasks one after the other. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    // The caller handles the failure; the next task starts regardless.
    const result = last.then(work, work)
    last = result
    return result
  }
}
