import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/**
 * Opens a shop on this machine, with the stock server of x402, and buys a call with the stock client.
 *
 * @throws CommandStatusError if the call is not paid.
 */
export async function sellCall(sale: Sale): Promise<PaidCall> {
  const { payTo, customerKey } = sale
  const shop = createServer(createShop(sale))
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  try {
    // A server that listens on a host and a port has an address with a port.
    const url = `http://127.0.0.1:${(shop.address() as AddressInfo).port}${PATH}`
    const customer = privateKeyToAccount(customerKey as `0x${string}`)
    const client = new x402Client().register('eip155:*', new CustomerScheme(customer))
    const unpaid = await fetch(url)
    const paid = await wrapFetchWithPayment(fetch, client)(url)
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
  } finally {
    shop.closeAllConnections()
    shop.close()
  }
}

function createShop({ facilitatorUrl, token, payTo, chainId }: Sale) {
  const headers = { Authorization: `Bearer ${token}` }
  const facilitator = new HTTPFacilitatorClient({
    url: `${facilitatorUrl.replace(/\/+$/, '')}/x402`,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })
  const network = `eip155:${chainId}` as const
  const resources = new x402ResourceServer(facilitator).register(network, new SellerScheme())
  const accepts = { scheme: 'exact', price: PRICE, network, payTo }
  const routes = new x402HTTPResourceServer(resources, { [PATH]: { accepts } })
  const ready = routes.initialize()
  return (request: IncomingMessage, response: ServerResponse) => {
    ready
      .then(() => serve(routes, request, response))
      .catch((error: unknown) => response.writeHead(502).end(String(error)))
  }
}

async function serve(
  routes: x402HTTPResourceServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const readHeader = (name: string) => request.headers[name.toLowerCase()]?.toString()
  const method = request.method ?? 'GET'
  const adapter = {
    getHeader: readHeader,
    getMethod: () => method,
    getPath: () => PATH,
    getUrl: () => `http://${readHeader('host')}${PATH}`,
    getAcceptHeader: () => 'application/json',
    getUserAgent: () => '',
  }
  const paymentHeader = readHeader('payment-signature')
  const context = { adapter, path: PATH, method, ...(paymentHeader !== undefined && { paymentHeader }) }
  const result = await routes.processHTTPRequest(context)
  if (result.type !== 'payment-verified') {
    const refused = result.type === 'payment-error' ? result.response : { status: 404, headers: {} }
    response.writeHead(refused.status, refused.headers).end(JSON.stringify(refused))
    return
  }
  const settled = await routes.processSettlement(result.paymentPayload, result.paymentRequirements)
  if (settled.success) response.writeHead(200, settled.headers).end('Sunny, 24 °C')
  else response.writeHead(402, settled.headers).end(`${settled.errorReason} ${settled.errorMessage ?? ''}`)
}
