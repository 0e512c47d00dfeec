import type { Issue } from '@mintmark/envelope'
import type { DeclaredError, Rule } from '@mintmark/operation'

/** Rejects a call. Thrown, so that the transaction around it is rolled back; each API formats it in its own way. */
export class Refusal extends Error {
  readonly status: number
  /** The rule that refused the call. */
  readonly rule: Rule | undefined
  /** The envelope's code: the status, or the rule's five digits. */
  readonly code: number
  readonly issues: readonly Issue[]
  /** The facilitator's `error`: the rule's word, another reason, or the kind of the error. */
  readonly reason: string
  /** Seconds, for Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      rule?: Rule | undefined
      issues?: readonly Issue[]
      reason?: string
      retryAfter?: number | undefined
    } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.rule = more.rule
    this.code = more.rule?.code ?? status
    this.issues = more.issues ?? []
    this.reason = more.rule?.reason ?? more.reason ?? REASONS[status] ?? 'Refused'
    this.retryAfter = more.retryAfter
  }
}

const REASONS: Record<number, string> = {
  400: 'InvalidInput',
  401: 'Unauthorized',
  402: 'InsufficientBalance',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  413: 'InvalidInput',
  429: 'RateLimited',
  500: 'ServerError',
  503: 'Unavailable',
}

const STATUS_OF_KIND: Partial<Record<string, number>> = {
  InvalidInput: 400,
  InsufficientBalance: 402,
  Forbidden: 403,
  NotFound: 404,
  Conflict: 409,
  Refused: 400,
}

/** What a server responds when a rule refuses a call. */
export interface RuleAnswer {
  /** Default: the first three digits of the rule's code. Required for a rule without a code. */
  readonly status?: number
  /** The envelope's `msg`, or the facilitator's `message`, unless the handler passes a more specific one. */
  readonly message: string
}

/** A server's messages by the reasons of its rules. */
export type RuleAnswers = Readonly<Record<string, RuleAnswer>>

/** Whether a declared error is a rule rather than a class. */
export function isRule(error: DeclaredError): error is Rule {
  return 'reason' in error
}

/** The HTTP status and the default message of an error that an operation declares. */
export function usualAnswer(error: DeclaredError, rules: RuleAnswers): Required<RuleAnswer> {
  if (!isRule(error)) return { status: STATUS_OF_KIND[error.kind] ?? 500, message: error.kind }
  const answer = rules[error.reason]
  if (answer === undefined)
    throw new Error(`The rule ${error.reason} has no message. Add one to the server's rule answers`)
  const status = answer.status ?? Number(String(error.code).slice(0, 3))
  if (Number.isNaN(status))
    throw new Error(`The rule ${error.reason} has neither a status nor a code. Declare one of them`)
  return { status, message: answer.message }
}

/** Creates the refusal of an error that the operation declares. */
export function declaredRefusal(error: DeclaredError, rules: RuleAnswers, message?: string): Refusal {
  const { status, message: usual } = usualAnswer(error, rules)
  if (isRule(error)) return new Refusal(status, message ?? usual, { rule: error })
  return new Refusal(status, message ?? usual, { reason: error.kind })
}

/** 400 for one field. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(400, `${path}: ${message}`, { issues: [{ path, message }] })
}
