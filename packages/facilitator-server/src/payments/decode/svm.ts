import { isSolanaAddress } from '../../chains/svm/base58.ts'
import {
  isTransferRefusal,
  readTransfer,
  svmReasons,
  type TransferTerms,
} from '../../chains/svm/transfer-rules.ts'
import { computeMessageHash, decodeTransaction } from '../../chains/svm/wire-transaction.ts'
import type { Decoded } from '../payment.ts'
import { reasons } from '../reasons.ts'
import { FieldReader, isObject, type JsonObject } from './fields.ts'
import { fingerprint } from './fingerprint.ts'
import { isRefusal, type Refusal, refuse, refuseNonObject } from './refusal.ts'

/** What a facilitator serves on Solana. */
export interface ServedSvm {
  readonly networks: ReadonlySet<string>
  /** The addresses of our fee payers, base58. */
  readonly feePayers: ReadonlySet<string>
}

interface SvmRequirements extends TransferTerms {
  readonly scheme: string
  readonly network: string
  readonly maxTimeoutSeconds: number
}

/** More than the 256 bytes that stock clients accept would exceed a transaction anyway. */
const MAX_MEMO_BYTES = 256

/** The transaction's blockhash limits its life, in blocks. No time does. */
const NO_TIME_LIMIT = 253_402_300_799n

/**
 * Decodes a payment on Solana, scheme exact, x402 version 2, and checks everything that needs no chain. Never
 * throws.
 *
 * @param paymentPayload The payload, with what the payer accepted.
 */
export function decodeSvmPayment(
  paymentPayload: JsonObject,
  paymentRequirements: JsonObject,
  { networks, feePayers }: ServedSvm,
): Decoded {
  if (!networks.has(String(paymentRequirements.network)))
    return refuse(reasons.invalidNetwork, 'The network is not served')
  const required = readRequirements(paymentRequirements, 'paymentRequirements', reasons.invalidRequirements)
  if (isRefusal(required)) return required
  if (required.scheme !== 'exact')
    return refuse(reasons.unsupportedScheme, 'On Solana, only the scheme exact is supported')
  const accepted = readRequirements(
    paymentPayload.accepted,
    'paymentPayload.accepted',
    reasons.invalidPayload,
  )
  if (isRefusal(accepted)) return accepted
  const differing = COMPARED.filter((field) => accepted[field] !== required[field])
  if (differing.length > 0) {
    const issues = differing.map((field) => ({
      path: `paymentPayload.accepted.${field}`,
      message: 'differs from paymentRequirements',
    }))
    return refuse(reasons.invalidRequirements, 'The payer accepted other terms than the requirements', issues)
  }
  if (required.feePayer === '')
    return refuse(svmReasons.feePayerMissing, 'The requirements must name the fee payer in extra.feePayer')
  if (!feePayers.has(required.feePayer))
    return refuse(svmReasons.feePayerNotManaged, 'The fee payer is not of this facilitator')
  return readTransaction(paymentPayload, paymentRequirements, required, feePayers)
}

const COMPARED = [
  'scheme',
  'network',
  'asset',
  'payTo',
  'amount',
  'maxTimeoutSeconds',
  'feePayer',
  'memo',
] as const

function readRequirements(value: unknown, path: string, reason: string): SvmRequirements | Refusal {
  const reader = new FieldReader(value, path)
  const extra = isObject(value) && isObject(value.extra) ? value.extra : {}
  const { feePayer, memo } = extra
  const requirements = {
    scheme: reader.text('scheme'),
    network: reader.text('network'),
    asset: reader.text('asset'),
    payTo: reader.text('payTo'),
    amount: reader.amount('amount'),
    maxTimeoutSeconds: reader.seconds('maxTimeoutSeconds'),
    feePayer: typeof feePayer === 'string' ? feePayer : '',
    memo: typeof memo === 'string' && memo !== '' ? memo : undefined,
  }
  for (const field of ['asset', 'payTo'] as const) {
    if (!isSolanaAddress(requirements[field]))
      reader.issues.push({ path: `${path}.${field}`, message: 'must be an address in base58' })
  }
  if (Buffer.byteLength(requirements.memo ?? '') > MAX_MEMO_BYTES)
    reader.issues.push({
      path: `${path}.extra.memo`,
      message: `must be at most ${MAX_MEMO_BYTES} bytes`,
    })
  return reader.issues.length > 0 ? refuse(reason, `${path} is malformed`, reader.issues) : requirements
}

function readTransaction(
  paymentPayload: JsonObject,
  paymentRequirements: JsonObject,
  required: SvmRequirements,
  feePayers: ReadonlySet<string>,
): Decoded {
  const { payload } = paymentPayload
  if (!isObject(payload)) return refuseNonObject(reasons.invalidPayload, 'paymentPayload.payload')
  const text = payload.transaction
  const isBase64 = typeof text === 'string' && text.length <= 2_000 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)
  const transaction = isBase64 ? decodeTransaction(Buffer.from(text, 'base64')) : undefined
  if (transaction === undefined) return refuse(svmReasons.undecodable, 'The transaction could not be decoded')
  const transfer = readTransfer(transaction, required, feePayers)
  if (isTransferRefusal(transfer)) {
    const { reason, message, payer } = transfer
    return { ...refuse(reason, message), ...(payer !== undefined && { payer }) }
  }
  const { network, asset, payTo, amount, maxTimeoutSeconds, feePayer } = required
  const { payer, ...terms } = transfer
  const decoded = {
    scheme: 'exact' as const,
    network,
    asset,
    payTo,
    payer,
    amount,
    domain: asset,
    nonce: computeMessageHash(transaction),
    // The fee payer's is not in it: the payer cannot know it.
    signature: `0x${Buffer.concat(transaction.signatures.slice(1)).toString('hex')}`,
    validAfter: 0n,
    validBefore: NO_TIME_LIMIT,
    domainName: '',
    domainVersion: '',
    maxTimeoutSeconds,
  }
  return {
    ok: true,
    payment: {
      ...decoded,
      version: 2,
      wireNetwork: network,
      // Solana has no chain id.
      chainId: 0,
      svm: { transaction, feePayer, ...terms },
      fingerprint: fingerprint(decoded),
      request: { x402Version: 2, paymentPayload, paymentRequirements },
    },
  }
}
