import { describeProblem, isObject, toObjectIssue } from '../payment/fields.ts'
import type { Decoded } from '../payment/payment.ts'
import { reasons } from '../payment/reasons.ts'
import { refuse, refuseField } from '../payment/refusal.ts'
import { readPayer } from './read-payer.ts'
import { refuseNetwork } from './refusals.ts'
import { findDecode } from './registry.ts'
import type { Served, ServedScheme } from './scheme.ts'

/**
 * Decodes the body of a verify or a settle to a payment of a scheme: x402 version 1 or 2. Never throws. An invalid
 * body returns an x402 reason, the fields at fault and, if it can be read, the payer. Fields that x402 does not
 * define are ignored.
 */
export function decodePayment(body: unknown, served: Served): Decoded<ServedScheme> {
  const decoded = decode(body, served)
  if (decoded.ok) return decoded
  const payer = readPayer(body)
  return payer === undefined ? decoded : { ...decoded, payer }
}

function decode(body: unknown, served: Served): Decoded<ServedScheme> {
  if (!isObject(body)) return refuse(reasons.invalidPayload, [toObjectIssue(body, '')])
  const { x402Version, paymentPayload, paymentRequirements } = body
  if (x402Version !== 1 && x402Version !== 2) {
    const format = { expected: 'the number 1 or 2', example: '2' }
    return refuseField(reasons.invalidVersion, 'x402Version', describeProblem(x402Version, format))
  }
  if (!isObject(paymentPayload))
    return refuse(reasons.invalidPayload, [toObjectIssue(paymentPayload, 'paymentPayload')])
  if (!isObject(paymentRequirements))
    return refuse(reasons.invalidRequirements, [toObjectIssue(paymentRequirements, 'paymentRequirements')])
  if (paymentPayload.x402Version !== x402Version) {
    const message = `Expected ${x402Version}, the x402Version of the request`
    return refuseField(reasons.invalidVersion, 'paymentPayload.x402Version', message)
  }
  const request = { version: x402Version, paymentPayload, paymentRequirements } as const
  const decodeScheme = findDecode(request)
  // The addresses of another kind of chain are not malformed: its network is not served.
  return decodeScheme === undefined
    ? refuseNetwork(paymentRequirements.network)
    : decodeScheme(request, served)
}
