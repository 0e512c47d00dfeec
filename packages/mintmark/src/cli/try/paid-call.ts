import { HTTPFacilitatorClient, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as CustomerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'
import { CommandStatusError, ExitCode } from '../errors.ts'

/** Who sells a call, and who buys it. */
export interface Sale {
  readonly facilitatorUrl: string
  readonly token: string
  readonly payTo: string
  readonly chainId: number
  /** A wallet with USDC. */
  readonly customerKey: string
}

/** What the customer received. */
export interface PaidCall {
  readonly price: string
  readonly payTo: string
  readonly customer: string
  /** The status without a payment. */
  readonly unpaidStatus: number
  readonly status: number
  readonly body: string
  readonly transaction: string
}

const PRICE = '$0.01'
const PATH = '/weather'
const URL_OF_CALL = `http://localhost${PATH}`

/**
 * Opens a shop, with the stock server of x402, and buys a call with the stock client. Requests are not sent over a
 * network: the client calls the shop in this process.
 *
 * @throws CommandStatusError if the call is not paid.
 */
export async function sellCall(sale: Sale, signal: AbortSignal): Promise<PaidCall> {
  // The stock clients of facilitators take no signal.
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return await Promise.race([buyCall(sale), interrupted])
}

async function buyCall(sale: Sale): Promise<PaidCall> {
  const { payTo, customerKey } = sale
  const shop = await openShop(sale)
  const customer = privateKeyToAccount(customerKey as `0x${string}`)
  const client = new x402Client().register('eip155:*', new CustomerScheme(customer))
  const unpaid = await shop(URL_OF_CALL)
  const paid = await wrapFetchWithPayment(shop, client)(URL_OF_CALL)
  const body = await paid.text()
  const header = paid.headers.get('payment-response')
  if (!paid.ok || header === null)
    throw new CommandStatusError(`The paid call returned ${paid.status}: ${body}`, ExitCode.Failure)
  const { transaction } = decodePaymentResponseHeader(header)
  return {
    price: PRICE,
    payTo,
    customer: customer.address,
    unpaidStatus: unpaid.status,
    status: paid.status,
    body,
    transaction,
  }
}

/** Returns what answers the requests of customers. */
async function openShop({ facilitatorUrl, token, payTo, chainId }: Sale): Promise<typeof fetch> {
  const headers = { Authorization: `Bearer ${token}` }
  const facilitator = new HTTPFacilitatorClient({
    url: `${facilitatorUrl.replace(/\/+$/, '')}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const network = `eip155:${chainId}` as const
  const resources = new x402ResourceServer(facilitator).register(network, new SellerScheme())
  const accepts = { scheme: 'exact', price: PRICE, network, payTo }
  const routes = new x402HTTPResourceServer(resources, { [PATH]: { accepts } })
  await routes.initialize()
  return (input, init) => answer(routes, new Request(input, init))
}

async function answer(routes: x402HTTPResourceServer, request: Request): Promise<Response> {
  const { method } = request
  const readHeader = (name: string) => request.headers.get(name) ?? undefined
  const adapter = {
    getHeader: readHeader,
    getMethod: () => method,
    getPath: () => PATH,
    getUrl: () => request.url,
    getAcceptHeader: () => 'application/json',
    getUserAgent: () => '',
  }
  const paymentHeader = readHeader('payment-signature')
  const context = { adapter, path: PATH, method, ...(paymentHeader !== undefined && { paymentHeader }) }
  const result = await routes.processHTTPRequest(context)
  if (result.type !== 'payment-verified') {
    const refused = result.type === 'payment-error' ? result.response : { status: 404, headers: {} }
    return new Response(JSON.stringify(refused), refused)
  }
  const settled = await routes.processSettlement(result.paymentPayload, result.paymentRequirements)
  if (settled.success) return new Response('Sunny, 24 °C', { headers: settled.headers })
  const problem = `${settled.errorReason} ${settled.errorMessage ?? ''}`
  return new Response(problem, { status: 402, headers: settled.headers })
}
