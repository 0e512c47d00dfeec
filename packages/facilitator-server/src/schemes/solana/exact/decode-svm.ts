import { isSolanaAddress } from '../../../chains/solana/base58.ts'
import { computeMessageHash } from '../../../chains/solana/wire-transaction.ts'
import { listDifferences } from '../../../payment/compare-terms.ts'
import { FieldReader, isObject, type JsonObject, toObjectIssue } from '../../../payment/fields.ts'
import { fingerprint } from '../../../payment/fingerprint.ts'
import { withIdentifier } from '../../../payment/identifier.ts'
import type { Decoded } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../payment/refusal.ts'
import { refuseNetwork } from '../../refusals.ts'
import type { DecodeRequest, Served, ServedScheme } from '../../scheme.ts'
import { exactSvm } from './svm-scheme.ts'
import { readSvmTransaction } from './svm-transaction.ts'
import { isTransferRefusal, readTransfer, svmReasons, type TransferTerms } from './transfer-rules.ts'

interface SvmRequirements extends TransferTerms {
  readonly scheme: string
  readonly network: string
  readonly maxTimeoutSeconds: number
}

/** As in JSON. */
const ADDRESS_EXAMPLE = '"EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"'
/** More than the 256 bytes that stock clients accept would exceed a transaction anyway. */
const MAX_MEMO_BYTES = 256

/** The transaction's blockhash limits its life, in blocks. No time does. */
const NO_TIME_LIMIT = 253_402_300_799n

/**
 * Decodes a payment on Solana, scheme exact, x402 version 2, and checks everything that needs no chain. Never
 * throws.
 */
export function decodeSvm(
  { paymentPayload, paymentRequirements }: DecodeRequest,
  { networks, feePayers = new Set() }: Pick<Served, 'networks' | 'feePayers'>,
): Decoded<ServedScheme> {
  const { network } = paymentRequirements
  if (!networks.has(String(network))) return refuseNetwork(network)
  const required = readRequirements(paymentRequirements, 'paymentRequirements', reasons.invalidRequirements)
  if (isRefusal(required)) return required
  if (required.scheme !== 'exact')
    return refuseField(
      reasons.unsupportedScheme,
      'paymentRequirements.scheme',
      'On Solana, only the scheme exact is supported',
    )
  const accepted = readRequirements(
    paymentPayload.accepted,
    'paymentPayload.accepted',
    reasons.invalidPayload,
  )
  if (isRefusal(accepted)) return accepted
  const differences = listDifferences(accepted, required, COMPARED)
  if (differences.length > 0) return refuse(reasons.invalidRequirements, differences)
  const path = 'paymentRequirements.extra.feePayer'
  if (required.feePayer === '')
    return refuseField(
      svmReasons.feePayerMissing,
      path,
      'Required: the feePayer of the supported kinds, an address in base58',
    )
  if (!feePayers.has(required.feePayer))
    return refuseField(
      svmReasons.feePayerNotManaged,
      path,
      'Not a fee payer of this facilitator. Take the feePayer of the supported kinds',
    )
  const decoded = readTransaction(paymentPayload, paymentRequirements, required, feePayers)
  return withIdentifier(decoded, paymentPayload)
}

const COMPARED = {
  scheme: 'scheme',
  network: 'network',
  asset: 'asset',
  payTo: 'payTo',
  amount: 'amount',
  maxTimeoutSeconds: 'maxTimeoutSeconds',
  feePayer: 'extra.feePayer',
  memo: 'extra.memo',
}

function readRequirements(value: unknown, path: string, reason: string): SvmRequirements | Refusal {
  const reader = new FieldReader(value, path)
  const extra = isObject(value) && isObject(value.extra) ? value.extra : {}
  const { feePayer, memo } = extra
  const requirements = {
    scheme: reader.text('scheme', '"exact"'),
    network: reader.text('network', '"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"'),
    asset: reader.text('asset', ADDRESS_EXAMPLE),
    payTo: reader.text('payTo', ADDRESS_EXAMPLE),
    amount: reader.amount('amount'),
    maxTimeoutSeconds: reader.seconds('maxTimeoutSeconds'),
    feePayer: typeof feePayer === 'string' ? feePayer : '',
    memo: typeof memo === 'string' && memo !== '' ? memo : undefined,
  }
  for (const field of ['asset', 'payTo'] as const) {
    if (requirements[field] !== '' && !isSolanaAddress(requirements[field]))
      reader.addIssue(field, `Expected an address in base58. Example: ${ADDRESS_EXAMPLE}`)
  }
  if (Buffer.byteLength(requirements.memo ?? '') > MAX_MEMO_BYTES)
    reader.addIssue('extra.memo', `Expected at most ${MAX_MEMO_BYTES} bytes`)
  return reader.issues.length > 0 ? refuse(reason, reader.issues) : requirements
}

function readTransaction(
  paymentPayload: JsonObject,
  paymentRequirements: JsonObject,
  required: SvmRequirements,
  feePayers: ReadonlySet<string>,
): Decoded<ServedScheme> {
  const { payload } = paymentPayload
  if (!isObject(payload))
    return refuse(reasons.invalidPayload, [toObjectIssue(payload, 'paymentPayload.payload')])
  const transaction = readSvmTransaction(payload)
  const path = 'paymentPayload.payload.transaction'
  if (transaction === undefined)
    return refuseField(
      svmReasons.undecodable,
      path,
      'Expected a signed transaction of version 0 without address lookup tables, in base64',
    )
  const transfer = readTransfer(transaction, required, feePayers)
  if (isTransferRefusal(transfer)) return refuseField(transfer.reason, path, transfer.message)
  const { network, asset, payTo, amount, maxTimeoutSeconds, feePayer } = required
  const { payer, ...terms } = transfer
  const decoded = {
    scheme: exactSvm,
    details: { transaction, feePayer, ...terms },
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
      fingerprint: fingerprint(decoded),
      request: { x402Version: 2, paymentPayload, paymentRequirements },
    },
  }
}
