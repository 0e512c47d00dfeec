import type { Issue } from '@mintmark/envelope'
import type { DeclaredError, Rule } from '@mintmark/transport/operation'

/** A handler's "no": thrown, so that a transaction it stands in is rolled back, and answered as the door says. */
export class Refusal extends Error {
  readonly status: number
  /** The envelope's code: the status, or a rule's five digits. */
  readonly code: number
  readonly issues: readonly Issue[]
  /** The facilitator's `error`: an error's kind, or a reason. */
  readonly reason: string
  /** Seconds, for Retry-After. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    message: string,
    more: {
      code?: number
      issues?: readonly Issue[]
      reason?: string
      retryAfter?: number | undefined
    } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = more.code ?? status
    this.issues = more.issues ?? []
    this.reason = more.reason ?? REASONS[status] ?? 'Refused'
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

/** What a server says when a rule refuses a call. */
export interface RuleAnswer {
  /** The HTTP status. */
  readonly status: number
  /** What the envelope's `msg`, or the facilitator's `message`, says where the handler does not know better. */
  readonly message: string
}

/** What a server says of each of its rules, by code or reason. */
export type RuleAnswers = Readonly<Record<Rule, RuleAnswer>>

/** What is said of rules that are known by codes: the status is the code's first three digits. */
export function answersOfCodes(messages: Readonly<Record<number, string>>): RuleAnswers {
  return Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { status: Number(code.slice(0, 3)), message }]),
  )
}

/** Whether what an operation declares is a rule, and no class. */
export function isRule(error: DeclaredError): error is Rule {
  return typeof error === 'number' || typeof error === 'string'
}

/** The HTTP status and the usual message of an error that an operation declares. */
export function usualAnswer(error: DeclaredError, rules: RuleAnswers): RuleAnswer {
  if (!isRule(error)) return { status: STATUS_OF_KIND[error.kind] ?? 500, message: error.kind }
  const answer = rules[error]
  if (answer === undefined) throw new Error(`Nothing is said of the rule ${error}`)
  return answer
}

/** The refusal of an error that the operation declares. */
export function declaredRefusal(error: DeclaredError, rules: RuleAnswers, message?: string): Refusal {
  const { status, message: usual } = usualAnswer(error, rules)
  if (typeof error === 'number') return new Refusal(status, message ?? usual, { code: error })
  return new Refusal(status, message ?? usual, { reason: isRule(error) ? error : error.kind })
}

/** 400 for one field. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal(400, `${path}: ${message}`, { issues: [{ path, message }] })
}
