// A facilitator whose answers a test writes, and stock payers for it. No chain is needed.
import { randomBytes } from 'node:crypto'
import { createMemoryStore, type SellerOptions } from '@mintmark/seller'
import { deliverOnce } from '@mintmark/seller/express'
import { type FacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import type { SettleResponse } from '@x402/core/types'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { paymentMiddlewareFromHTTPServer } from '@x402/express'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express, { type RequestHandler } from 'express'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { NETWORK, SELLERS_WALLET } from './routes.ts'
import { serve } from './serve.ts'

export const SOLANA = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const SOLANA_ADDRESS = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

/** Each settle is answered by the next of `answers`, and by a success after the last one. */
export function createScript() {
  const script = {
    verify: (): Awaited<ReturnType<FacilitatorClient['verify']>> => ({ isValid: true }),
    answers: [] as (() => Promise<SettleResponse>)[],
    verifies: 0,
    settles: 0,
  }
  const facilitator: FacilitatorClient = {
    async verify() {
      script.verifies += 1
      return script.verify()
    },
    settle() {
      script.settles += 1
      return (script.answers.shift() ?? succeed)()
    },
    getSupported: async () => ({
      kinds: [NETWORK, SOLANA].map((network) => ({
        x402Version: 2,
        scheme: 'exact',
        network: network as typeof NETWORK,
        extra: { feePayer: SOLANA_ADDRESS },
      })),
      extensions: [],
      signers: {},
    }),
  }
  return { script, facilitator }
}

export const succeed = async (): Promise<SettleResponse> => ({
  success: true,
  transaction: `0x${randomBytes(32).toString('hex')}`,
  network: NETWORK,
})
export const refuse =
  (errorReason: string, rest: Partial<SettleResponse> = {}) =>
  async (): Promise<SettleResponse> => ({
    success: false,
    errorReason,
    transaction: '',
    network: NETWORK,
    ...rest,
  })
export const lose = () => Promise.reject(new Error('The connection broke'))

/** The routes of a seller, with the stock classes: `/report` on a chain of the EVM, `/solana` on Solana. */
export function createScriptedRoutes(
  facilitator: FacilitatorClient,
  { Server = x402ResourceServer, HttpServer = x402HTTPResourceServer } = {},
): x402HTTPResourceServer {
  const server = new Server(facilitator)
    .register(NETWORK, new SellerScheme())
    .register(SOLANA, new ExactSvmScheme())
  const price = { scheme: 'exact', price: '$0.01' } as const
  return new HttpServer(server, {
    '/report': { accepts: { ...price, network: NETWORK, payTo: SELLERS_WALLET } },
    '/solana': { accepts: { ...price, network: SOLANA, payTo: SOLANA_ADDRESS } },
  })
}

/** Serves a seller on Express whose handler counts its runs. `before` runs before the payment. */
export async function openScriptedSeller(
  stops: AsyncDisposableStack,
  options: Partial<SellerOptions> = {},
  before: readonly RequestHandler[] = [],
) {
  const { script, facilitator } = createScript()
  const seller = { script, origin: '', url: '', runs: 0, work: async (_response: express.Response) => {} }
  const app = express()
  for (const handler of before) app.use(handler)
  const settings = { store: createMemoryStore(), onError: () => {}, ...options }
  app.use(deliverOnce(paymentMiddlewareFromHTTPServer, createScriptedRoutes(facilitator), settings))
  app.use(async (_request, response) => {
    seller.runs += 1
    const text = `report ${seller.runs}`
    await seller.work(response)
    response.send(text)
  })
  seller.origin = await serve(app, stops)
  seller.url = `${seller.origin}/report`
  return seller
}

export interface SignedPayment {
  x402Version: number
  accepted: object
  payload: Record<string, unknown>
}

/** Sends a payment as it is. */
export const present = (url: string, payment: object, init: RequestInit = {}) => {
  const header = Buffer.from(JSON.stringify(payment)).toString('base64')
  return fetch(url, { ...init, headers: { ...init.headers, 'PAYMENT-SIGNATURE': header } })
}

/** A payer with a stock client. */
export function createPayer() {
  let signed: SignedPayment | undefined
  const wallet = privateKeyToAccount(generatePrivateKey())
  const client = new x402Client()
    .register('eip155:*', new PayerScheme(wallet))
    .onAfterPaymentCreation(async ({ paymentPayload }) => {
      signed = paymentPayload as unknown as SignedPayment
    })
  return {
    /** Buys with a new signature. */
    buy: (url: string, init: RequestInit = {}) => wrapFetchWithPayment(fetch, client)(url, init),
    /** Buys by a function instead of a connection. */
    buyBy: (send: typeof fetch, url: string) => wrapFetchWithPayment(send, client)(url),
    /** Returns the last payment that was signed. */
    getSigned() {
      if (signed === undefined) throw new Error('Nothing was signed')
      return signed
    },
  }
}
