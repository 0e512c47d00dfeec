import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import {
  declarePaymentIdentifierExtension,
  paymentIdentifierResourceServerExtension,
} from '@x402/extensions/payment-identifier'

export const NETWORK = 'eip155:84532'
export const SELLERS_WALLET = '0x00000000000000000000000000000000005E11e7'
/** What a report costs, in base units. */
export const PRICE = 10_000n

/** Where a seller's payments are settled, and for which account. */
export interface Facilitation {
  readonly answers: { readonly url: string }
  readonly account: { readonly token: string }
}

/** The routes and the resource server of a seller, with the stock classes. `/report` costs 0.01 USDC, `/book` 0.05. */
export function createHttpServer(
  { answers, account }: Facilitation,
  { Server = x402ResourceServer, HttpServer = x402HTTPResourceServer, path = '/x402' } = {},
): x402HTTPResourceServer {
  const headers = { Authorization: `Bearer ${account.token}` }
  const client = new HTTPFacilitatorClient({
    url: `${answers.url}${path}`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const server = new Server(client)
    .register(NETWORK, new SellerScheme())
    .registerExtension(paymentIdentifierResourceServerExtension)
  const accepts = { scheme: 'exact', network: NETWORK, payTo: SELLERS_WALLET } as const
  const extensions = { 'payment-identifier': declarePaymentIdentifierExtension() }
  return new HttpServer(server, {
    '/report': { accepts: { ...accepts, price: '$0.01' }, extensions },
    '/book': { accepts: { ...accepts, price: '$0.05' }, extensions },
  })
}
