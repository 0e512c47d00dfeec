import {
  findAssociatedAccount,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/associated-account.ts'
import { decodeBase58 } from '../../../chains/solana/base58.ts'
import { isSignedBy } from '../../../chains/solana/keys.ts'
import type { Instruction, WireTransaction } from '../../../chains/solana/wire-transaction.ts'

const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'
const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const LIGHTHOUSE_PROGRAM = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'

/** The reasons of the npm package `@x402/svm` 2.27, so that stock software recognizes them. */
export const svmReasons = {
  feePayerMissing: 'invalid_exact_svm_payload_missing_fee_payer',
  feePayerNotManaged: 'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
  feePayerMismatch: 'invalid_exact_svm_fee_payer_mismatch',
  feePayerUsed: 'invalid_exact_svm_payload_transaction_fee_payer_transferring_funds',
  undecodable: 'invalid_exact_svm_payload_transaction_could_not_be_decoded',
  signature: 'invalid_exact_svm_payload_signature_invalid',
  signers: 'invalid_exact_svm_payload_excessive_signers',
  length: 'invalid_exact_svm_payload_transaction_instructions_length',
  computeLimit: 'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction',
  computeLimitTooHigh:
    'invalid_exact_svm_payload_transaction_instructions_compute_limit_instruction_too_high',
  computePrice: 'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction',
  computePriceTooHigh:
    'invalid_exact_svm_payload_transaction_instructions_compute_price_instruction_too_high',
  noTransfer: 'invalid_exact_svm_payload_no_transfer_instruction',
  mint: 'invalid_exact_svm_payload_mint_mismatch',
  recipient: 'invalid_exact_svm_payload_recipient_mismatch',
  amount: 'invalid_exact_svm_payload_amount_mismatch',
  memoCount: 'invalid_exact_svm_payload_memo_count',
  memo: 'invalid_exact_svm_payload_memo_mismatch',
  simulation: 'invalid_exact_svm_transaction_simulation_failed',
  failed: 'invalid_exact_svm_transaction_failed',
} as const

/** The reasons for another program than memo or Lighthouse, by the position of its instruction. */
const UNKNOWN_INSTRUCTIONS = [
  'invalid_exact_svm_payload_unknown_fourth_instruction',
  'invalid_exact_svm_payload_unknown_fifth_instruction',
  'invalid_exact_svm_payload_unknown_sixth_instruction',
  'invalid_exact_svm_payload_unknown_seventh_instruction',
]

/** What the seller requires of a transaction. Addresses are base58. */
export interface TransferTerms {
  readonly asset: string
  readonly payTo: string
  readonly amount: bigint
  readonly feePayer: string
  /** The memo that the transaction must have, if the seller requires one. */
  readonly memo: string | undefined
}

/** What one transaction may cost its fee payer. */
const MAX_COMPUTE_UNITS = 400_000
/** The most lamports for priority: the price of a unit multiplied by the limit of units. */
const MAX_PRIORITY_LAMPORTS = 50_000n

/** The transfer of a transaction. Addresses are base58. */
export interface TokenTransfer {
  readonly payer: string
  readonly source: string
  readonly tokenProgram: string
  readonly decimals: number
}

export interface TransferRefusal {
  readonly reason: string
  readonly message: string
}

export const isTransferRefusal = (value: TokenTransfer | TransferRefusal): value is TransferRefusal =>
  'reason' in value

/**
 * Checks everything of a transaction that needs no chain: the payer has signed it, it does nothing but the
 * transfer that the seller requires, and the fee payer only pays a limited fee. Stricter than the stock
 * facilitator: it bounds the fee, accepts no further signers and refuses every instruction that names a fee
 * payer.
 */
export function readTransfer(
  transaction: WireTransaction,
  terms: TransferTerms,
  feePayers: ReadonlySet<string>,
): TokenTransfer | TransferRefusal {
  const { accounts, signatures, instructions, message } = transaction
  if (accounts[0] !== terms.feePayer)
    return refuse(svmReasons.feePayerMismatch, 'Another account pays the fee')
  if (signatures.length > 2)
    return refuse(svmReasons.signers, 'The fee payer and the payer must be the only signers')
  const signature = signatures[1]
  if (signature !== undefined && !isSignedBy(requireBytes(accounts[1]), message, signature))
    return refuse(svmReasons.signature, "The signature is not the payer's")
  const [limit, price, transfer, ...optional] = instructions
  if (!limit || !price || !transfer || optional.length > UNKNOWN_INSTRUCTIONS.length)
    return refuse(svmReasons.length, 'The transaction must have 3 to 7 instructions')
  const refusal =
    findFeeProblem(limit, price) ??
    findFeePayerProblem(transaction, feePayers) ??
    findOptionalProblem(optional, terms.memo)
  return refusal ?? checkTransfer(transaction, transfer, terms)
}

const refuse = (reason: string, message: string): TransferRefusal => ({ reason, message })

/** The bytes of an account that was decoded from a transaction. */
function requireBytes(account: string | undefined): Buffer {
  const bytes = account === undefined ? undefined : decodeBase58(account, 32)
  if (bytes === undefined) throw new Error('The transaction has fewer accounts than signatures')
  return bytes
}

function findFeeProblem(limit: Instruction, price: Instruction): TransferRefusal | undefined {
  const isLimit = limit.program === COMPUTE_BUDGET_PROGRAM && limit.data.length === 5 && limit.data[0] === 2
  if (!isLimit) return refuse(svmReasons.computeLimit, 'The first instruction must limit the compute units')
  const isPrice = price.program === COMPUTE_BUDGET_PROGRAM && price.data.length === 9 && price.data[0] === 3
  if (!isPrice)
    return refuse(svmReasons.computePrice, 'The second instruction must set the price of compute units')
  const units = limit.data.readUInt32LE(1)
  if (units > MAX_COMPUTE_UNITS)
    return refuse(svmReasons.computeLimitTooHigh, `The limit of compute units exceeds ${MAX_COMPUTE_UNITS}`)
  // The price is in millionths of a lamport. The network rounds up.
  const lamports = (price.data.readBigUInt64LE(1) * BigInt(units) + 999_999n) / 1_000_000n
  if (lamports > MAX_PRIORITY_LAMPORTS)
    return refuse(
      svmReasons.computePriceTooHigh,
      `The priority fee exceeds ${MAX_PRIORITY_LAMPORTS} lamports`,
    )
  return undefined
}

/** The fee payer signs the whole transaction, so any instruction that names it could spend what it owns. */
function findFeePayerProblem(
  { accounts, instructions }: WireTransaction,
  feePayers: ReadonlySet<string>,
): TransferRefusal | undefined {
  const named = instructions.some((instruction) =>
    instruction.accounts.some((index) => index === 0 || feePayers.has(accounts[index] ?? '')),
  )
  return named ? refuse(svmReasons.feePayerUsed, 'An instruction names a fee payer') : undefined
}

function findOptionalProblem(
  optional: readonly Instruction[],
  memo: string | undefined,
): TransferRefusal | undefined {
  const unknown = optional.findIndex(
    ({ program }) => program !== MEMO_PROGRAM && program !== LIGHTHOUSE_PROGRAM,
  )
  const reason = UNKNOWN_INSTRUCTIONS[unknown]
  if (reason !== undefined) return refuse(reason, 'Only memo and Lighthouse may follow the transfer')
  if (memo === undefined) return undefined
  const memos = optional.filter(({ program }) => program === MEMO_PROGRAM)
  if (memos.length !== 1) return refuse(svmReasons.memoCount, 'The transaction must have one memo')
  return memos[0]?.data.equals(Buffer.from(memo))
    ? undefined
    : refuse(svmReasons.memo, 'The memo differs from the requirements')
}

/** Whether an instruction is a checked transfer of tokens. */
const isCheckedTransfer = ({ program, data, accounts }: Instruction): boolean =>
  (program === TOKEN_PROGRAM || program === TOKEN_2022_PROGRAM) &&
  data.length === 10 &&
  data[0] === 12 &&
  accounts.length === 4

/** Finds the owner of the tokens that a transaction transfers. Undefined if it transfers none. */
export function findTransferOwner({ accounts, instructions }: WireTransaction): string | undefined {
  const transfer = instructions.find(isCheckedTransfer)
  return transfer && accounts[transfer.accounts[3] ?? -1]
}

function checkTransfer(
  { accounts, signatures }: WireTransaction,
  transfer: Instruction,
  terms: TransferTerms,
): TokenTransfer | TransferRefusal {
  const { program, data } = transfer
  const [source, mint, destination, payer] = transfer.accounts.map((index) => accounts[index])
  if (!isCheckedTransfer(transfer) || !source || !mint || !destination || !payer)
    return refuse(svmReasons.noTransfer, 'The third instruction must be a checked transfer')
  // The only other signer than the fee payer.
  if (payer !== accounts[1] || signatures.length !== 2)
    return refuse(svmReasons.signature, 'The owner of the tokens has not signed')
  if (mint !== terms.asset) return refuse(svmReasons.mint, 'The transfer is of another token')
  if (destination !== findAssociatedAccount(terms.payTo, mint, program))
    return refuse(svmReasons.recipient, "The destination is not payTo's associated token account")
  if (data.readBigUInt64LE(1) !== terms.amount)
    return refuse(svmReasons.amount, 'The transfer is not of the required amount')
  return { payer, source, tokenProgram: program, decimals: data.readUInt8(9) }
}
