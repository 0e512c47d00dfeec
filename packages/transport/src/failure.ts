import {
  ConflictError,
  ForbiddenError,
  InsufficientBalanceError,
  InvalidInputError,
  type Issue,
  type MintmarkError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ServerError,
  UnauthorizedError,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import type { OperationShape } from './operation.ts'

/** An answer as it was read: the body is JSON where it could be parsed, text where it could not, undefined where empty. */
export interface Answer {
  status: number
  headers: Headers
  body: unknown
  requestId: string | undefined
}

/** A field of a value that may be anything. */
export function field(value: unknown, name: string): unknown {
  return Object(value)[name]
}

/** The first of the fields that holds text, at most 500 characters of it. */
export function text(value: unknown, ...names: string[]): string | undefined {
  for (const name of names) {
    const found = field(value, name)
    if (found && typeof found === 'string') return found.slice(0, 500)
  }
  return undefined
}

/** A class of errors that have details which are not looked at here. */
type AnyErrorClass = new (message: string, details: never) => MintmarkError

/** An error of an operation, with what its answer tells, when there was one; `more` is what its class tells besides. */
export function fail(
  Class: AnyErrorClass,
  { id }: OperationShape,
  said: string,
  answer: Pick<Answer, 'status' | 'requestId'> | undefined,
  more: object,
): MintmarkError {
  const { status, requestId } = answer ?? {}
  const details: object = { operation: id, status, requestId, ...more }
  // Whoever calls this knows what the class asks for.
  return new Class(`${id}: ${said}`, details as never)
}

/** What is wrong, and where: the first five of the issues. */
export function told(issues: readonly Issue[]): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ')
}

/** {@link InvalidInputError} that names the fields. */
export function invalid(operation: OperationShape, issues: readonly Issue[]): MintmarkError {
  return fail(InvalidInputError, operation, told(issues), undefined, { issues })
}

const BY_STATUS: Record<number, AnyErrorClass> = {
  401: UnauthorizedError,
  402: InsufficientBalanceError,
  403: ForbiddenError,
  404: NotFoundError,
  429: RateLimitedError,
}

/** What UnknownOutcomeError tells of a call, besides what all errors do. */
export interface Open {
  sentAt: number
  idempotencyKey: string | undefined
  transaction: string | undefined
}

/**
 * The typed error of an answer that says the call failed; UnknownOutcomeError where it leaves that open. Its body may be anything: a
 * proxy's page, nothing at all.
 */
export function failureOf(
  operation: OperationShape,
  answer: Answer,
  now: number,
  open: Open | undefined,
): MintmarkError {
  const { body, headers } = answer
  const given = field(body, 'code')
  const code = typeof given === 'number' ? given : undefined
  const reason = text(field(body, 'data'), 'reason') ?? text(body, 'error', 'errorReason', 'invalidReason')
  const retryAfter = headers.get('retry-after') ?? ''
  const seconds = Math.ceil(Number(retryAfter) || (Date.parse(retryAfter) - now) / 1000)
  const more = { code, reason, retryAfter: seconds > 0 ? seconds : undefined, ...open }
  // A failed envelope may come with HTTP 200: a code that is, or begins with, a status then is the best there is.
  const fromCode = answer.status < 400 && Number(/^([45]\d\d)(\d\d)?$/.exec(String(code))?.[1])
  const status = fromCode || answer.status
  const said = `${status} ${text(body, 'msg', 'message') ?? reason ?? ''}`.trim()
  const Class = open ? UnknownOutcomeError : status < 500 ? BY_STATUS[status] : ServerError
  if (Class) return fail(Class, operation, said, answer, more)
  // Five digits are a rule's code; a facilitator gives its reasons as words.
  const ruled = Number(code) > 9999 || reason
  const listed = field(field(body, 'data'), 'issues') ?? field(body, 'issues')
  if (Array.isArray(listed) || status === 413 || (status === 400 && !ruled)) {
    const issues = [listed ?? []]
      .flat()
      .map((issue) => ({ path: text(issue, 'path') ?? '', message: text(issue, 'message') ?? '' }))
    return fail(InvalidInputError, operation, told(issues) || said, answer, { ...more, issues })
  }
  return fail(status === 409 && !ruled ? ConflictError : RefusedError, operation, said, answer, more)
}
