import type { FailedTransactionMetadata } from 'litesvm'

/** The error of an instruction, as nodes format it: its place, and why it failed. */
interface InstructionFailure {
  InstructionError: [number, string | { Custom: number }]
}

/** An account would keep too few lamports, as nodes format it. */
interface RentFailure {
  InsufficientFundsForRent: { account_index: number }
}

/** The error of a transaction, as nodes format it. Others than these two have only a name. */
export type TransactionError = string | InstructionFailure | RentFailure

/** Whether a transaction with this error is executed in a block, and pays its fee. */
export const isExecuted = (error: TransactionError): boolean =>
  typeof error === 'object' && 'InstructionError' in error

/** Formats the error of a transaction as nodes do. */
export function formatError(failed: FailedTransactionMetadata): TransactionError {
  // The names of errors are only in the text: the numbers have no names at run time.
  const text = failed.toString()
  const [, instruction, reason, code] = /err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(text) ?? []
  if (instruction !== undefined && reason !== undefined) {
    const detail = reason === 'Custom' ? { Custom: Number(code) } : reason
    return { InstructionError: [Number(instruction), detail] }
  }
  const [, account] = /err: InsufficientFundsForRent \{ account_index: (\d+) \}/.exec(text) ?? []
  if (account !== undefined) return { InsufficientFundsForRent: { account_index: Number(account) } }
  const [, name] = /err: (\w+)/.exec(text) ?? []
  if (name === undefined) throw new Error(`The error of the transaction has an unknown format: ${text}`)
  return name
}
