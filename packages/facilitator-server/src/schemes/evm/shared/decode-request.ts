import { toNetwork } from '@mintmark/evm-reader'
import { refuseDifferences } from '../../../payment/compare-terms.ts'
import { isObject, type JsonObject, toObjectIssue } from '../../../payment/fields.ts'
import { fingerprint } from '../../../payment/fingerprint.ts'
import { withIdentifier } from '../../../payment/identifier.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse } from '../../../payment/refusal.ts'
import type { Terms } from '../../../payment/terms.ts'
import { refuseNetwork, refuseScheme } from '../../refusals.ts'
import type { DecodeScheme, Served, ServedPayment } from '../../scheme.ts'
import { parseChainId } from './chain-id.ts'

export const PATH = 'paymentPayload.payload'

/** No time limits a seller's request: its signatures stay valid. */
const NO_TIME_LIMIT = 253_402_300_799n

/** A seller's terms in version 2. Addresses are lower-case. */
export type SellerTerms = Readonly<Omit<Terms, 'wireNetwork'>> & { readonly network: string }

/** What a payload is read with. */
export interface PayloadContext<Required> {
  readonly required: Required
  readonly extensions: unknown
  readonly chainId: number
  /** Whether we broadcast signed approval transactions on the chain. */
  readonly isApprovalChain: boolean
}

/** What a payload does, and what identifies it. */
export type PayloadRead = Pick<
  ServedPayment,
  'scheme' | 'details' | 'payer' | 'amount' | 'nonce' | 'domain'
> &
  Partial<
    Pick<
      ServedPayment,
      'signature' | 'validAfter' | 'validBefore' | 'domainName' | 'domainVersion' | 'refund'
    >
  >

/** A scheme whose payloads are payments and requests of sellers. */
interface RequestFormat<Required extends SellerTerms> {
  readonly name: string
  /** @param reason That of malformed terms outside of `extra`. */
  readRequirements(value: unknown, path: string, reason: string): Required | Refusal
  /** The names of the terms that the payer repeats. */
  readonly names: Readonly<Partial<Record<keyof Required, string>>>
  /** Finds terms that cannot be settled here. */
  findTermsProblem?(required: Required, served: Served): Refusal | undefined
  /** The reason of a payload that is no object. */
  readonly payloadReason: string
  readPayload(payload: JsonObject, context: PayloadContext<Required>): PayloadRead | Refusal
}

/**
 * Creates the decoding of the requests of a scheme, x402 version 2, with everything that needs neither the chain nor
 * a key. Where another facilitator settles, there are none.
 */
export const createDecodeRequest =
  <Required extends SellerTerms>(format: RequestFormat<Required>): DecodeScheme =>
  ({ paymentPayload, paymentRequirements }, served) => {
    if (served.facilitators.size === 0) return refuseScheme(format.name, 'paymentRequirements')
    const chainId = parseChainId(String(paymentRequirements.network ?? ''), 2)
    if (chainId === undefined || !served.networks.has(toNetwork(chainId)))
      return refuseNetwork(paymentRequirements.network)
    const { invalidRequirements, invalidPayload } = reasons
    const required = format.readRequirements(paymentRequirements, 'paymentRequirements', invalidRequirements)
    if (isRefusal(required)) return required
    const { payload, extensions, accepted: terms } = paymentPayload
    const accepted = format.readRequirements(terms, 'paymentPayload.accepted', invalidPayload)
    if (isRefusal(accepted)) return accepted
    const mismatch =
      refuseDifferences(accepted, required, format.names) ?? format.findTermsProblem?.(required, served)
    if (mismatch !== undefined) return mismatch
    if (!isObject(payload)) return refuse(format.payloadReason, [toObjectIssue(payload, PATH)])
    const isApprovalChain = served.approvalChains?.has(chainId) === true
    const read = format.readPayload(payload, { required, extensions, chainId, isApprovalChain })
    if (isRefusal(read)) return read
    const { network, asset, payTo, maxTimeoutSeconds } = required
    const fields = {
      network,
      asset,
      payTo,
      signature: '0x',
      validAfter: 0n,
      validBefore: NO_TIME_LIMIT,
      domainName: '',
      domainVersion: '',
      ...read,
    }
    const decoded = {
      ok: true,
      payment: {
        ...fields,
        version: 2,
        wireNetwork: network,
        chainId,
        maxTimeoutSeconds,
        fingerprint: fingerprint(fields),
        request: { x402Version: 2, paymentPayload, paymentRequirements },
      },
    } as const
    // The others are requests of the seller, or free.
    return read.scheme.isRepeatable ? decoded : withIdentifier(decoded, paymentPayload)
  }
