import {
  type Hex,
  keccak256,
  parseTransaction,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  type TransactionSerializableLegacy,
  toFunctionSelector,
} from 'viem'
import { addressWord } from '../../../../chains/evm/reads/abi-words.ts'
import { asHex } from '../../../../chains/evm/reads/transfer.ts'
import { FieldReader, isObject, type JsonObject } from '../../../../payment/fields.ts'
import { reasons } from '../../../../payment/reasons.ts'
import { isRefusal, type Refusal, refuse, refuseField } from '../../../../payment/refusal.ts'
import { permit2Address } from './permit2-contracts.ts'
import type { ApprovalTransaction } from './permit2-terms.ts'

/** The name of the extension that contains a signed approval transaction. */
export const APPROVAL_TRANSACTION_EXTENSION = 'erc20ApprovalGasSponsoring'

/** Less gas than a transaction with the call data of an approval needs before it calls anything. */
const MIN_APPROVAL_GAS = 25_000n
/** More gas than the approval of any usual token needs. */
const MAX_APPROVAL_GAS = 150_000n

const APPROVE = toFunctionSelector('approve(address,uint256)')
/** `0x`, the selector, the spender and the amount. */
const CALL_DATA_LENGTH = 2 + 2 * (4 + 32 + 32)

/** What the approval is for. */
export interface ApprovalTarget {
  readonly payer: string
  readonly token: string
  readonly maximum: bigint
  readonly chainId: number
}

/**
 * Reads the payer's signed transaction that approves Permit2 from the extensions, if there is one. The checks
 * of the reference come first, in its order. Who has signed is verified later.
 */
export function readApprovalTransaction(
  extensions: unknown,
  target: ApprovalTarget,
): ApprovalTransaction | Refusal | undefined {
  const extension =
    isObject(extensions) && Object.hasOwn(extensions, APPROVAL_TRANSACTION_EXTENSION)
      ? extensions[APPROVAL_TRANSACTION_EXTENSION]
      : undefined
  // A seller's offer of the extension has no transaction. The payer repeats it without one if Permit2 is
  // approved already.
  if (!isObject(extension) || !isObject(extension.info) || !isComplete(extension.info)) return undefined
  const raw = readInfo(extension.info, target)
  if (isRefusal(raw)) return raw
  const parsed = parseSigned(raw.signedTransaction)
  if (parsed === undefined)
    return refuseField(
      reasons.approvalTxUnreadable,
      TRANSACTION,
      'Cannot be parsed. Expected a signed transaction of type 2, or a legacy one, without further bytes',
    )
  return checkCall(parsed.unsigned, target) ?? checkExecution(parsed.unsigned, target) ?? toApproval(parsed)
}

const PATH = `paymentPayload.extensions.${APPROVAL_TRANSACTION_EXTENSION}.info`
const TRANSACTION = `${PATH}.signedTransaction`

const FIELDS = ['from', 'asset', 'spender', 'amount', 'signedTransaction', 'version']
const VERSION = /^[0-9]+(?:\.[0-9]+)*$/

/** The reference ignores an extension that lacks a field. */
const isComplete = (info: JsonObject): boolean =>
  FIELDS.every((field) => Object.hasOwn(info, field) && Boolean(info[field]))

function readInfo(
  info: object,
  { payer, token }: ApprovalTarget,
): { readonly signedTransaction: Hex } | Refusal {
  const reader = new FieldReader(info, PATH)
  const from = reader.address('from')
  const asset = reader.address('asset')
  const spender = reader.address('spender')
  reader.amount('amount')
  const signedTransaction = reader.signature('signedTransaction')
  const version = reader.text('version', '"1"')
  if (version !== '' && !VERSION.test(version))
    reader.addIssue('version', 'Expected numbers with dots between them. Example: "1"')
  if (reader.issues.length > 0) return refuse(reasons.approvalTxMalformed, reader.issues)
  if (from !== payer)
    return refuseField(
      reasons.approvalTxFromMismatch,
      `${PATH}.from`,
      `Another wallet than the payer, ${payer}`,
    )
  if (asset !== token)
    return refuseField(
      reasons.approvalTxAssetMismatch,
      `${PATH}.asset`,
      `Another token than the asset, ${token}`,
    )
  if (spender !== permit2Address) {
    const message = `Another contract than Permit2, ${permit2Address}`
    return refuseField(reasons.approvalTxSpenderMismatch, `${PATH}.spender`, message)
  }
  return { signedTransaction: asHex(signedTransaction) }
}

/** The kinds of transactions that are accepted. */
type Unsigned = TransactionSerializableEIP1559 | TransactionSerializableLegacy

interface ParsedTransaction {
  readonly raw: Hex
  readonly unsigned: Unsigned
  readonly digest: Hex
  readonly signature: string
}

/**
 * Parses a signed transaction of type 2 or a legacy one. Undefined unless its bytes are exactly those that
 * encode it, because nodes refuse other encodings: after we have paid for its gas.
 */
function parseSigned(raw: Hex): ParsedTransaction | undefined {
  try {
    const { r, s, v, yParity, ...parsed } = parseTransaction(raw)
    if (r === undefined || s === undefined) return undefined
    if (parsed.type !== 'eip1559' && parsed.type !== 'legacy') return undefined
    // The types of the parser are wider than what it returns.
    const unsigned = parsed as Unsigned
    // 27 or 28, or for a legacy transaction 35 or 36 more than twice the chain's id.
    const parity = v === undefined ? yParity : Number((v + 1n) % 2n)
    const signature = { r, s, ...(v === undefined ? { yParity: parity ?? 0 } : { v }) }
    if (serializeTransaction(unsigned, signature) !== raw) return undefined
    return {
      raw,
      unsigned,
      digest: keccak256(serializeTransaction(unsigned)),
      signature: `0x${toWord(r)}${toWord(s)}${parity === 0 ? '1b' : '1c'}`,
    }
  } catch {
    return undefined
  }
}

const toWord = (number: Hex): string => number.slice(2).padStart(64, '0')

const refuseTransaction = (reason: string, message: string): Refusal =>
  refuseField(reason, TRANSACTION, message)

/** Checks what the transaction calls, as the reference does, and that it does nothing else. */
function checkCall({ to, data = '0x' }: Unsigned, { token, maximum }: ApprovalTarget): Refusal | undefined {
  if (to?.toLowerCase() !== token)
    return refuseTransaction(reasons.approvalTxWrongTarget, `The transaction must call the asset, ${token}`)
  if (!data.startsWith(APPROVE))
    return refuseTransaction(reasons.approvalTxWrongSelector, 'The transaction must call approve')
  if (data.length !== CALL_DATA_LENGTH)
    return refuseTransaction(
      reasons.approvalTxInvalidCall,
      'The call data must be an approval and nothing else',
    )
  if (data.slice(10, 74) !== addressWord(permit2Address))
    return refuseTransaction(
      reasons.approvalTxWrongSpender,
      `The transaction must approve Permit2, ${permit2Address}`,
    )
  if (BigInt(`0x${data.slice(74)}`) < maximum)
    return refuseTransaction(
      reasons.approvalTxInvalidCall,
      `The approval is for less than the payment. Approve at least ${maximum}`,
    )
  return undefined
}

/** Checks what the nodes, or we, would refuse of the transaction whatever it calls. */
function checkExecution(transaction: Unsigned, { chainId }: ApprovalTarget): Refusal | undefined {
  const problem = findExecutionProblem(transaction, chainId)
  return problem === undefined
    ? undefined
    : refuseTransaction(reasons.approvalTxFailed, `The transaction ${problem}`)
}

function findExecutionProblem(transaction: Unsigned, chainId: number): string | undefined {
  const { value = 0n, gas = 0n } = transaction
  if (transaction.chainId !== chainId) return `must be for the chain ${chainId}`
  if (value !== 0n) return 'must not transfer native tokens'
  if (gas < MIN_APPROVAL_GAS || gas > MAX_APPROVAL_GAS)
    return `must have a gas limit from ${MIN_APPROVAL_GAS} to ${MAX_APPROVAL_GAS}`
  if (transaction.type !== 'eip1559') return undefined
  return (transaction.accessList ?? []).length > 0 ? 'must not have an access list' : undefined
}

const toApproval = ({ raw, unsigned, digest, signature }: ParsedTransaction): ApprovalTransaction => ({
  raw,
  hash: keccak256(raw),
  digest,
  signature,
  data: unsigned.data ?? '0x',
  nonce: unsigned.nonce ?? 0,
  gas: unsigned.gas ?? 0n,
  maxFeePerGas: unsigned.maxFeePerGas ?? unsigned.gasPrice ?? 0n,
})
