import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import { toJsonLine, toSafeLine, toSafeText } from './output/safe-text.ts'

/** The command line is incorrect. Nothing was sent. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The credentials, the profiles or the state of an import are incorrect. Nothing was sent. */
export class SetupError extends Error {
  override name = 'SetupError'
}

/** A command that ends with a status of its own, after it has written its output. */
export class CommandStatusError extends Error {
  override name = 'CommandStatusError'
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Whoever read the output has closed it. Only commands with other effects than their output fail. */
export class OutputClosedError extends Error {
  override name = 'OutputClosedError'
  constructor() {
    super('The output was closed before all results were written')
  }
}

/** The exit codes that no kind of error has. */
export const ExitCode = { Ok: 0, Failure: 1, Usage: 2, RejectedRows: 16, Interrupted: 130 } as const

interface KindOfError {
  readonly exitCode: number
  readonly advice: string
}

/** The exit code of each kind of error, and what to do. A kind that is missing here does not compile. */
export const KINDS: Readonly<Record<AnyMintmarkError['kind'], KindOfError>> = {
  InvalidInput: { exitCode: 3, advice: 'Correct the fields above. Nothing was stored.' },
  Unauthorized: {
    exitCode: 4,
    advice: "Check the key and its secret, and this machine's clock. `mintmark login` stores another key.",
  },
  Forbidden: { exitCode: 5, advice: "Use a key that has the operation's scope." },
  NotFound: { exitCode: 6, advice: 'Check the id, the address and the project of the key.' },
  Conflict: { exitCode: 7, advice: 'Read the record: it exists already, is in use, or is being changed.' },
  InsufficientBalance: { exitCode: 8, advice: 'Deposit, or have the payer sign a larger quota.' },
  RateLimited: { exitCode: 9, advice: 'Wait, and send fewer calls.' },
  Refused: { exitCode: 10, advice: 'A rule refused the call. Change what the reason names.' },
  Server: { exitCode: 11, advice: 'Retry later. If it keeps failing, send the operator the request id.' },
  Timeout: { exitCode: 12, advice: 'Retry, with a longer --timeout if necessary.' },
  Network: { exitCode: 13, advice: 'Check that the server runs and that its URL is correct.' },
  UnknownOutcome: {
    exitCode: 14,
    advice: 'The call may have taken effect. Read what it would have changed before you repeat it.',
  },
  UnexpectedResponse: {
    exitCode: 15,
    advice: 'The server may have another version. Do not repeat a write that it accepted.',
  },
}

/** Returns the status that the process ends with. */
export function getExitCode(error: unknown): number {
  if (error instanceof UsageError || error instanceof SetupError) return ExitCode.Usage
  if (error instanceof CommandStatusError) return error.exitCode
  return isMintmarkError(error) ? KINDS[error.kind].exitCode : ExitCode.Failure
}

/** Returns an error as one JSON line, for programs. */
export function formatErrorAsJson(error: unknown): string {
  const exitCode = getExitCode(error)
  const message = error instanceof Error ? error.message : String(error)
  if (!isMintmarkError(error)) {
    const kind = exitCode === ExitCode.Usage ? 'Usage' : 'Failure'
    return toJsonLine({ error: { kind, message, exitCode } })
  }
  const { kind, operation, status, code, reason, detail, docs, requestId, retryable, retryAfter } = error
  const issues = error.kind === 'InvalidInput' ? error.issues : undefined
  const idempotencyKey = error.kind === 'UnknownOutcome' ? error.idempotencyKey : undefined
  return toJsonLine({
    error: {
      kind,
      message,
      operation,
      status,
      code,
      reason,
      detail,
      docs,
      requestId,
      retryable,
      retryAfter,
      idempotencyKey,
      issues,
      exitCode,
    },
  })
}

/** Formats what a rule says about a call, such as `remaining: 3`. Empty if it says nothing. */
export function formatDetail({ detail }: AnyMintmarkError): string {
  if (typeof detail !== 'object' || detail === null) return ''
  const fields = Object.entries(detail).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `${name}: ${text}`
  })
  return toSafeLine(fields.join(', '))
}

/** Returns an error as people read it: what is wrong, its details, and what to do. */
export function formatError(error: unknown): string {
  const message = toSafeText(error instanceof Error ? error.message : String(error))
  if (!isMintmarkError(error)) return `Error: ${message}\n`
  const details: string[] = []
  const status = error.status === undefined ? '' : ` (HTTP ${error.status})`
  details.push(`  kind        ${error.kind}${status}`)
  if (error.reason !== undefined) details.push(`  reason      ${toSafeText(error.reason)}`)
  const detail = formatDetail(error)
  if (detail !== '') details.push(`  detail      ${detail}`)
  if (error.requestId !== undefined) details.push(`  request id  ${toSafeText(error.requestId)}`)
  if (error.kind === 'UnknownOutcome' && error.idempotencyKey !== undefined) {
    details.push(`  key         ${toSafeText(error.idempotencyKey)}`)
  }
  if (error.retryAfter !== undefined) details.push(`  retry in    ${error.retryAfter} s`)
  if (error.docs !== undefined) details.push(`  docs        ${toSafeText(error.docs)}`)
  return `Error: ${message}\n${details.join('\n')}\n  ${KINDS[error.kind].advice}\n`
}
