import { formatNonce, permit2Address, spenders } from '../../chains/evm/methods/permit2-contracts.ts'
import type { SignedApproval } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { readApprovalTransaction } from './approval-transaction.ts'
import { FieldReader, isObject, type JsonObject } from './fields.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import type { Authorized, Terms } from './terms.ts'

const PATH = 'paymentPayload.payload.permit2Authorization'

/** The name of the extension that contains a signed approval of Permit2. */
export const APPROVAL_EXTENSION = 'eip2612GasSponsoring'

/** What surrounds a payload for Permit2. */
export interface Permit2Context {
  /** The amount that the payer accepted: the maximum, in the scheme upto. */
  readonly acceptedAmount: bigint
  /** The payload's extensions, from the request. */
  readonly extensions: unknown
  /** The chain, if we broadcast signed approval transactions on it. */
  readonly approvalChainId?: number | undefined
  /** The addresses of our signers, lower-case. */
  readonly facilitators: ReadonlySet<string>
}

/** Reads a payload with an authorization for Permit2. */
export function readPermit2(
  payload: JsonObject,
  terms: Terms,
  { acceptedAmount, extensions, approvalChainId, facilitators }: Permit2Context,
): Authorized | Refusal {
  const signed = readSigned(payload, terms)
  if (isRefusal(signed)) return signed
  const { payer, spender, to, token, amount: maximum, facilitator } = signed
  const mismatch = findMismatch()
  if (mismatch !== undefined) return { ...refuse(mismatch.reason, mismatch.message), payer }
  const approval = readApproval(extensions, { payer, token, maximum })
  if (approval !== undefined && isRefusal(approval)) return { ...approval, payer }
  const chainId = approval === undefined ? approvalChainId : undefined
  const approvalTransaction =
    chainId === undefined
      ? undefined
      : readApprovalTransaction(extensions, { payer, token, maximum, chainId })
  if (approvalTransaction !== undefined && isRefusal(approvalTransaction))
    return { ...approvalTransaction, payer }
  return {
    payer,
    nonce: formatNonce(signed.nonce),
    signature: signed.signature,
    validAfter: signed.validAfter,
    // Permit2 accepts the signature until the deadline, including it.
    validBefore: signed.deadline + 1n,
    domain: permit2Address,
    // Permit2 has a domain of its own.
    domainName: '',
    domainVersion: '',
    permit2: {
      maximum,
      ...(facilitator !== undefined && { facilitator }),
      ...(approval && { approval }),
      ...(approvalTransaction && { approvalTransaction }),
    },
  }

  function findMismatch(): { reason: string; message: string } | undefined {
    if (spender !== spenders[terms.scheme]) {
      const message = `The payer must sign for x402's contract for the scheme, ${spenders[terms.scheme]}`
      return { reason: reasons.spenderMismatch, message }
    }
    if (to !== terms.payTo) {
      return {
        reason: reasons.permit2RecipientMismatch,
        message: 'The payer signed for another recipient than payTo',
      }
    }
    if (token !== terms.asset) {
      return {
        reason: reasons.permit2TokenMismatch,
        message: 'The payer signed for another token than the asset',
      }
    }
    if (maximum !== acceptedAmount) {
      return {
        reason: reasons.permit2AmountMismatch,
        message: 'The payer did not sign for the accepted amount',
      }
    }
    if (terms.amount > maximum) {
      return { reason: reasons.aboveMaximum, message: 'The amount is above the signed maximum' }
    }
    if (facilitator !== undefined && !facilitators.has(facilitator)) {
      const message =
        'The payer signed for another facilitator. Take facilitatorAddress from the supported kinds'
      return { reason: reasons.facilitatorMismatch, message }
    }
    return undefined
  }
}

function readSigned(payload: JsonObject, { scheme }: Terms) {
  const outer = new FieldReader(payload, 'paymentPayload.payload')
  const authorization = isObject(payload.permit2Authorization) ? payload.permit2Authorization : {}
  const reader = new FieldReader(payload.permit2Authorization, PATH)
  const permitted = new FieldReader(authorization.permitted, `${PATH}.permitted`)
  const witness = new FieldReader(authorization.witness, `${PATH}.witness`)
  const signed = {
    signature: outer.signature('signature'),
    payer: reader.address('from'),
    spender: reader.address('spender'),
    nonce: reader.amount('nonce'),
    deadline: reader.amount('deadline'),
    token: permitted.address('token'),
    amount: permitted.amount('amount'),
    to: witness.address('to'),
    validAfter: witness.amount('validAfter'),
    facilitator: scheme === 'upto' ? witness.address('facilitator') : undefined,
  }
  const issues = [outer, reader, permitted, witness].flatMap((each) => each.issues)
  return issues.length === 0
    ? signed
    : refuse(reasons.invalidPayload, 'The authorization for Permit2 is malformed', issues)
}

/** Reads the payer's signed approval of Permit2 from the extensions (EIP-2612), if there is one. */
export function readApproval(
  extensions: unknown,
  { payer, token, maximum }: { payer: string; token: string; maximum: bigint },
): SignedApproval | Refusal | undefined {
  const extension =
    isObject(extensions) && Object.hasOwn(extensions, APPROVAL_EXTENSION)
      ? extensions[APPROVAL_EXTENSION]
      : undefined
  // A seller's offer of the extension has no signature. The payer repeats it without one if Permit2 is
  // approved already.
  if (!isObject(extension) || !isObject(extension.info) || !Object.hasOwn(extension.info, 'signature'))
    return undefined
  const path = `paymentPayload.extensions.${APPROVAL_EXTENSION}.info`
  const reader = new FieldReader(extension.info, path)
  const from = reader.address('from')
  const asset = reader.address('asset')
  const spender = reader.address('spender')
  const amount = reader.amount('amount')
  const deadline = reader.amount('deadline')
  const signature = reader.signature('signature')
  if (reader.issues.length > 0 || signature.length !== 132) {
    return refuse(reasons.approvalMalformed, 'The signed approval of Permit2 is malformed', reader.issues)
  }
  if (from !== payer) return refuse(reasons.approvalFromMismatch, "The signed approval is another wallet's")
  if (asset !== token)
    return refuse(reasons.approvalAssetMismatch, 'The signed approval is for another token')
  if (spender !== permit2Address)
    return refuse(reasons.approvalSpenderMismatch, 'The signed approval is for another contract than Permit2')
  if (amount !== maximum)
    return refuse(
      reasons.approvalAmountMismatch,
      'The signed approval is for another amount than the payment',
    )
  return { deadline, signature }
}
