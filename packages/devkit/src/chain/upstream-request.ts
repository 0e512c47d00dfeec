import {
  PaymentPayloadV1Schema,
  PaymentPayloadV2Schema,
  PaymentRequirementsV1Schema,
  PaymentRequirementsV2Schema,
} from '@x402/core/schemas'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import * as v from 'valibot'
import { devChainId } from './chain.ts'

/** The dev chain's name in each version of x402. */
export const networkNames = { 1: 'base-sepolia', 2: `eip155:${devChainId}` } as const

/** The body of a verify or settle request. */
export interface PaymentRequest {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
}

/** A request on which the reference classes would throw, with an x402 reason. */
export class UnusableRequest extends Error {
  override name = 'UnusableRequest'
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

const address = v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}$/i))
const decimal = v.pipe(v.string(), v.regex(/^[0-9]{1,78}$/))

const exactPayload = v.looseObject({
  signature: v.pipe(v.string(), v.regex(/^0x([0-9a-f]{2})+$/i)),
  authorization: v.looseObject({
    from: address,
    to: address,
    value: decimal,
    validAfter: decimal,
    validBefore: decimal,
    nonce: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{64}$/i)),
  }),
})
const exactRequirements = v.looseObject({ asset: address, payTo: address })
const exactAmount = {
  1: v.looseObject({ maxAmountRequired: decimal }),
  2: v.looseObject({ amount: decimal }),
}

/**
 * Parses the body of a verify or settle request.
 *
 * @throws UnusableRequest when it is not a payment of the exact scheme on the dev chain in a known x402
 * version.
 */
export function readPaymentRequest(body: unknown): PaymentRequest {
  if (!isObject(body)) throw new UnusableRequest('invalid_payload', 'The body is not a JSON object')
  const { x402Version, paymentPayload: payload, paymentRequirements: requirements } = body
  if (!isObject(payload)) throw new UnusableRequest('invalid_payload', 'paymentPayload is not an object')
  if (!isObject(requirements)) {
    throw new UnusableRequest('invalid_payment_requirements', 'paymentRequirements is not an object')
  }
  const version = payload.x402Version
  if ((version !== 1 && version !== 2) || (x402Version !== undefined && x402Version !== version)) {
    throw new UnusableRequest(
      'invalid_x402_version',
      'x402Version is neither 1 nor 2, or differs in the payload',
    )
  }

  const envelope = (version === 1 ? PaymentPayloadV1Schema : PaymentPayloadV2Schema).safeParse(payload)
  if (!envelope.success) throw new UnusableRequest('invalid_payload', envelope.error.message)
  const terms = (version === 1 ? PaymentRequirementsV1Schema : PaymentRequirementsV2Schema).safeParse(
    requirements,
  )
  if (!terms.success) throw new UnusableRequest('invalid_payment_requirements', terms.error.message)
  if (terms.data.scheme !== 'exact') {
    throw new UnusableRequest('unsupported_scheme', `The scheme ${terms.data.scheme} is not supported`)
  }
  if (terms.data.network !== networkNames[version]) {
    throw new UnusableRequest(
      'invalid_network',
      `The network ${terms.data.network} is not ${networkNames[version]}`,
    )
  }
  if (!v.is(exactPayload, payload.payload)) {
    throw new UnusableRequest('invalid_payload', 'payload is not a signed EIP-3009 authorization')
  }
  if (!v.is(exactRequirements, requirements) || !v.is(exactAmount[version], requirements)) {
    throw new UnusableRequest('invalid_payment_requirements', 'asset, payTo or the amount is malformed')
  }
  // The schemas of the packages have accepted both. The original value is passed on, because parsing drops
  // unknown fields. The classes accept version 1 under the types of version 2.
  return {
    payload: payload as unknown as PaymentPayload,
    requirements: requirements as unknown as PaymentRequirements,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
