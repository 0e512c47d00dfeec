import { type AnyMintmarkError, isMintmarkError } from '@mintmark/envelope'
import { BudgetExceededError } from './state/budgets.ts'

/** An error as a tool reports it. It contains no secret. */
export interface ErrorReport {
  /** The kind of an error of Mintmark, or a kind of this server such as `NotAllowed`. */
  readonly kind: string
  /** The rule that refused, such as `OUT_OF_STOCK`. */
  readonly reason?: string | undefined
  /** What the rule says about this call, such as `{ remaining: 3 }`. */
  readonly detail?: unknown
  readonly message: string
  readonly whatToDo: string
  /** The page of the server that explains the error. */
  readonly docs?: string | undefined
  readonly requestId?: string | undefined
  /** Seconds. */
  readonly retryAfter?: number | undefined
  /** The invalid fields. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[] | undefined
  /** Confirms the same call. */
  readonly confirmation?: string | undefined
}

/** An error of this server, which is reported as it is. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  readonly report: ErrorReport

  constructor(report: ErrorReport) {
    super(report.message)
    this.report = report
  }
}

const WHAT_TO_DO: Readonly<Record<AnyMintmarkError['kind'], string>> = {
  InvalidInput:
    'Change the fields that `issues` names. `describe_operation` returns the schema of the input.',
  Unauthorized:
    'Report this to the user: the API key, its secret or the token of this MCP server is not valid.',
  Forbidden: 'Report this to the user: the key lacks the scope, or a rule refused the wallet or account.',
  NotFound: 'Check the id and the address. Search with a list operation.',
  Conflict: 'Read the record: it exists already or is in use.',
  InsufficientBalance:
    'Report this to the user: the balance or the quota of the payer does not cover the price.',
  RateLimited: 'Wait `retryAfter` seconds, then repeat the call.',
  Refused:
    'A rule refused the call; `reason` names it, and `detail` has its values. Most rules need a change before the call can succeed.',
  Server: 'Repeat the call later with the same input. If it keeps failing, report the `requestId`.',
  Timeout: 'Repeat the call later with the same input.',
  Network:
    'Repeat the call later with the same input. If it keeps failing, report that the server cannot be reached.',
  UnknownOutcome:
    'Do not use another `intent`. Read what the call would have changed, or repeat the same call: it cannot take effect twice.',
  UnexpectedResponse:
    'Report this to the user: the server returned something else than the operation states. Do not repeat a write that was accepted.',
}

/** Whether an error is a result of the call, and no failure of this program. */
export function isExpectedError(error: unknown): boolean {
  return error instanceof ToolError || error instanceof BudgetExceededError || isMintmarkError(error)
}

/**
 * Converts any error to a report. Errors of the program itself are reported without their message, which
 * could have a secret.
 */
export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof ToolError) return error.report
  if (isMintmarkError(error)) {
    const { kind, reason, detail, message, docs, requestId, retryAfter } = error
    const issues = 'issues' in error ? error.issues : undefined
    return { kind, reason, detail, message, whatToDo: WHAT_TO_DO[kind], docs, requestId, retryAfter, issues }
  }
  if (error instanceof BudgetExceededError) {
    const whatToDo = 'Report this to the user. Only the operator of this MCP server can raise the budget.'
    return { kind: 'BudgetExceeded', message: error.message, whatToDo }
  }
  return {
    kind: 'Internal',
    message: 'The MCP server failed',
    whatToDo: 'Report this to the user: the log of the MCP server has the reason.',
  }
}

/** Returns the error of a write that may have taken effect and is not sent again. */
export function createUnknownWriteError(operation: string, sentAt: number): ToolError {
  return new ToolError({
    kind: 'UnknownOutcome',
    message: `${operation}: the call was sent at ${new Date(sentAt).toISOString()}, and its outcome is unknown. It was not sent again`,
    whatToDo:
      'Read what the call would have changed. If it took no effect and the user still intends it, call again with a new `intent`.',
  })
}
