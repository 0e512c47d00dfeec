import { FieldReader, isObject, type JsonObject } from '../../../../payment/fields.ts'
import { reasons } from '../../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../../payment/refusal.ts'
import type { Authorized, Terms } from '../../../../payment/terms.ts'
import type { AuthorizationContext } from '../../evm-scheme.ts'
import { readApprovalTransaction } from './approval-transaction.ts'
import { formatNonce, permit2Address } from './permit2-contracts.ts'
import type { Permit2Terms, SignedApproval } from './permit2-terms.ts'

const PAYLOAD = 'paymentPayload.payload'
const PATH = `${PAYLOAD}.permit2Authorization`

/** The name of the extension that contains a signed approval of Permit2. */
export const APPROVAL_EXTENSION = 'eip2612GasSponsoring'

/**
 * Reads a payload with an authorization for Permit2.
 *
 * @param spender x402's contract of the scheme.
 * @param isMetered Whether the payer signs a maximum, for the facilitator that alone may settle less.
 */
export function readPermit2(
  payload: JsonObject,
  terms: Terms,
  { acceptedAmount, extensions, approvalChainId, facilitators }: AuthorizationContext,
  { spender: required, isMetered = false }: { spender: string; isMetered?: boolean },
): Authorized | Refusal {
  const signed = readSigned(payload, isMetered)
  if (isRefusal(signed)) return signed
  const { payer, spender, to, token, amount: maximum, facilitator } = signed
  const mismatch = findMismatch()
  if (mismatch !== undefined) return mismatch
  const approvals = readApprovals(extensions, { payer, token, maximum }, approvalChainId)
  if (isRefusal(approvals)) return approvals
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
    details: {
      maximum,
      ...(facilitator !== undefined && { facilitator }),
      ...approvals,
    },
  }

  function findMismatch(): Refusal | undefined {
    if (spender !== required) {
      const message = `Another contract than x402's for the scheme. Sign for ${required}`
      return refuseField(reasons.spenderMismatch, `${PATH}.spender`, message)
    }
    if (to !== terms.payTo) {
      const message = `Another recipient than paymentRequirements.payTo. Sign for ${terms.payTo}`
      return refuseField(reasons.permit2RecipientMismatch, `${PATH}.witness.to`, message)
    }
    if (token !== terms.asset) {
      const message = `Another token than paymentRequirements.asset. Sign for ${terms.asset}`
      return refuseField(reasons.permit2TokenMismatch, `${PATH}.permitted.token`, message)
    }
    if (maximum !== acceptedAmount) {
      const message = `Another amount than the payer accepted. Sign for ${acceptedAmount}`
      return refuseField(reasons.permit2AmountMismatch, `${PATH}.permitted.amount`, message)
    }
    if (terms.amount > maximum) {
      const message = `Above the signed maximum. Settle at most ${maximum}`
      return refuseField(reasons.aboveMaximum, 'paymentRequirements.amount', message)
    }
    if (facilitator !== undefined && !facilitators.has(facilitator)) {
      const message = 'Another facilitator. Sign for the facilitatorAddress of the supported kinds'
      return refuseField(reasons.facilitatorMismatch, `${PATH}.witness.facilitator`, message)
    }
    return undefined
  }
}

function readSigned(payload: JsonObject, isMetered: boolean) {
  const outer = new FieldReader(payload, PAYLOAD)
  const authorization = isObject(payload.permit2Authorization) ? payload.permit2Authorization : {}
  const reader = new FieldReader(payload.permit2Authorization, PATH)
  const permitted = new FieldReader(authorization.permitted, `${PATH}.permitted`)
  const witness = new FieldReader(authorization.witness, `${PATH}.witness`)
  const signed = {
    signature: outer.signature('signature'),
    payer: reader.address('from'),
    spender: reader.address('spender'),
    nonce: reader.uint('nonce'),
    deadline: reader.time('deadline'),
    token: permitted.address('token'),
    amount: permitted.amount('amount'),
    to: witness.address('to'),
    validAfter: witness.time('validAfter'),
    facilitator: isMetered ? witness.address('facilitator') : undefined,
  }
  const issues = [outer, reader, permitted, witness].flatMap((each) => each.issues)
  return issues.length === 0 ? signed : refuse(reasons.invalidPayload, issues)
}

/**
 * Reads the approval of Permit2 that the payer has signed: for the token (EIP-2612), or otherwise as a transaction.
 *
 * @param chainId The chain, if we broadcast signed approval transactions on it.
 */
export function readApprovals(
  extensions: unknown,
  target: { payer: string; token: string; maximum: bigint },
  chainId: number | undefined,
): Pick<Permit2Terms, 'approval' | 'approvalTransaction'> | Refusal {
  const approval = readApproval(extensions, target)
  if (approval !== undefined) return isRefusal(approval) ? approval : { approval }
  const approvalTransaction =
    chainId === undefined ? undefined : readApprovalTransaction(extensions, { ...target, chainId })
  if (approvalTransaction === undefined) return {}
  return isRefusal(approvalTransaction) ? approvalTransaction : { approvalTransaction }
}

/** Reads the payer's signed approval of Permit2 from the extensions (EIP-2612), if there is one. */
function readApproval(
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
  const deadline = reader.time('deadline')
  const signature = reader.keySignature('signature')
  if (reader.issues.length > 0) return refuse(reasons.approvalMalformed, reader.issues)
  if (from !== payer)
    return refuseField(
      reasons.approvalFromMismatch,
      `${path}.from`,
      `Another wallet than the payer, ${payer}`,
    )
  if (asset !== token)
    return refuseField(
      reasons.approvalAssetMismatch,
      `${path}.asset`,
      `Another token than the asset, ${token}`,
    )
  if (spender !== permit2Address) {
    const message = `Another contract than Permit2. Sign for ${permit2Address}`
    return refuseField(reasons.approvalSpenderMismatch, `${path}.spender`, message)
  }
  if (amount !== maximum) {
    const message = `Another amount than the payment. Sign for ${maximum}`
    return refuseField(reasons.approvalAmountMismatch, `${path}.amount`, message)
  }
  return { deadline, signature }
}
