import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http'
import type { PaymentRequirements } from '@x402/core/types'
import { type Hex, verifyTypedData } from 'viem'

/** How a seller responds to a payment. */
export type SellerBehavior =
  | 'delivers'
  | 'breaks off'
  | 'requests payment again'
  | 'redirects'
  | 'delivers without receipt'

/** A payment that a seller received and could collect. */
export interface ReceivedPayment {
  readonly value: bigint
  readonly nonce: string
}

/** A seller over HTTP, which requests a payment for each path. */
export interface Seller {
  readonly url: string
  readonly payments: ReceivedPayment[]
  behavior: SellerBehavior
  requirements: PaymentRequirements[]
  content: string
}

const ASSET = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
export const ASSET_KEY = `eip155:8453/${ASSET}`

export const PRICE: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: ASSET,
  amount: '1000',
  payTo: `0x${'d'.repeat(40)}`,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}

interface ExactPayload {
  readonly signature: Hex
  readonly authorization: {
    readonly from: Hex
    readonly to: Hex
    readonly value: string
    readonly validAfter: string
    readonly validBefore: string
    readonly nonce: Hex
  }
}

/** The message that a payer signs (EIP-3009). */
const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** Starts a seller on this machine. */
export async function startSeller(stops: AsyncDisposableStack): Promise<Seller> {
  const seller: Seller = {
    url: '',
    payments: [],
    behavior: 'delivers',
    requirements: [PRICE],
    content: 'the article',
  }
  const url = await serveLocally((request, response) => handle(seller, request, response), stops)
  return Object.assign(seller, { url })
}

function requestPayment({ requirements, url }: Seller, response: ServerResponse): void {
  const required = { x402Version: 2, resource: { url }, accepts: requirements }
  response.writeHead(402, { 'payment-required': encodePaymentRequiredHeader(required) }).end('{}')
}

function handle(seller: Seller, request: IncomingMessage, response: ServerResponse): void {
  const header = request.headers['payment-signature']
  if (request.url === '/free') {
    response.writeHead(200, { 'content-type': 'text/plain' }).end('free')
  } else if (typeof header !== 'string') {
    requestPayment(seller, response)
  } else {
    receivePayment(seller, header).then(
      () => respondToPayment(seller, request, response),
      (error: Error) => response.destroy(error),
    )
  }
}

/** Verifies the signature as the token does, and records the payment. */
async function receivePayment({ payments }: Seller, header: string): Promise<void> {
  const { payload } = decodePaymentSignatureHeader(header)
  // The scheme `exact` has this payload.
  const { authorization, signature } = payload as unknown as ExactPayload
  const { from, to, nonce } = authorization
  const value = BigInt(authorization.value)
  const isValid = await verifyTypedData({
    address: from,
    signature,
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: ASSET },
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to,
      value,
      nonce,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
    },
  })
  if (!isValid) throw new Error('The signature of the payment is invalid')
  payments.push({ value, nonce })
}

function respondToPayment(seller: Seller, request: IncomingMessage, response: ServerResponse): void {
  const receipt = { success: true, transaction: `0x${'e'.repeat(64)}`, network: PRICE.network }
  const content = { 'content-type': 'text/plain' }
  switch (seller.behavior) {
    case 'breaks off':
      request.socket.destroy()
      break
    case 'requests payment again':
      requestPayment(seller, response)
      break
    case 'redirects':
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
      break
    case 'delivers without receipt':
      response.writeHead(200, content).end(seller.content)
      break
    case 'delivers': {
      const headers = { ...content, 'payment-response': encodePaymentResponseHeader(receipt) }
      response.writeHead(200, headers).end(seller.content)
    }
  }
}
