import type { FailedTransactionMetadata } from 'litesvm'

/** The error of a transaction, as nodes format it: a name, or the instruction that failed and why. */
export type TransactionError = string | { InstructionError: [number, string | { Custom: number }] }

/** Formats the error of a transaction as nodes do. */
export function formatError(failed: FailedTransactionMetadata): TransactionError {
  // The names of errors are only in the text: the numbers have no names at run time.
  const text = failed.toString()
  const [, instruction, reason, code] = /err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(text) ?? []
  if (instruction !== undefined && reason !== undefined) {
    const detail = reason === 'Custom' ? { Custom: Number(code) } : reason
    return { InstructionError: [Number(instruction), detail] }
  }
  const [, name] = /err: (\w+)/.exec(text) ?? []
  if (name === undefined) throw new Error(`The error of the transaction has an unknown format: ${text}`)
  return name
}
