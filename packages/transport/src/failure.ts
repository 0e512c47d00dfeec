import {
  Conflict,
  type ErrorDetails,
  Forbidden,
  InsufficientBalance,
  InvalidInput,
  type Issue,
  type MintmarkError,
  NotFound,
  RateLimited,
  Refused,
  Server,
  Unauthorized,
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
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** A field that holds text, at most 500 characters of it; `''` when it holds none. */
export function text(value: unknown, name: string): string {
  const found = field(value, name)
  return typeof found === 'string' ? found.slice(0, 500) : ''
}

/** Seconds of a Retry-After header, given as seconds or as a date; undefined when there is nothing to wait for. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after')
  const seconds = Math.ceil(Number(header) || (Date.parse(header ?? '') - now) / 1000)
  return seconds > 0 ? seconds : undefined
}

/** An error of an operation, with what its answer tells, when there was one. */
export function fail<Details extends ErrorDetails, Failure extends MintmarkError>(
  Class: new (message: string, details: Details) => Failure,
  { id }: OperationShape,
  said: string,
  answer?: Answer,
  more?: Omit<Details, 'operation' | 'status' | 'requestId'>,
): Failure {
  const { status, requestId } = answer ?? {}
  // `more` is what Details holds besides the three.
  return new Class(`${id}: ${said}`, { operation: id, status, requestId, ...more } as unknown as Details)
}

/** {@link InvalidInput} that names the fields. */
export function invalid(
  operation: OperationShape,
  issues: readonly Issue[],
  said = '',
  answer?: Answer,
  more?: object,
): InvalidInput {
  const told = issues.slice(0, 5).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return fail(InvalidInput, operation, told.join('; ') || said, answer, { ...more, issues })
}

const BY_STATUS: Record<number, new (message: string, details: ErrorDetails) => MintmarkError> = {
  401: Unauthorized,
  402: InsufficientBalance,
  403: Forbidden,
  404: NotFound,
  429: RateLimited,
}

/** The typed error of an answer that says the call failed. Its body may be anything: a proxy's page, nothing at all. */
export function failureOf(operation: OperationShape, answer: Answer, now: number): MintmarkError {
  const { body, headers } = answer
  const found = field(body, 'code')
  const code = typeof found === 'number' ? found : undefined
  const reason = text(body, 'error') || text(body, 'errorReason') || text(body, 'invalidReason') || undefined
  // A failed envelope may come with HTTP 200: a code that is, or begins with, a status then is the best there is.
  const fromCode = Number(/^([45]\d\d)(\d\d)?$/.exec(String(code))?.[1])
  const status = answer.status < 400 && fromCode ? fromCode : answer.status
  const said = `${status} ${text(body, 'msg') || text(body, 'message') || (reason ?? '')}`.trim()
  const more = { code, reason, retryAfter: retryAfterOf(headers, now) }
  // Five digits are a rule's code; a facilitator gives its reasons as words.
  const ruled = Number(code) > 9999 || reason
  const issues = field(field(body, 'data'), 'issues') ?? field(body, 'issues')
  const named = Array.isArray(issues)
    ? issues.map((issue) => ({ path: text(issue, 'path'), message: text(issue, 'message') }))
    : undefined
  const Class = status < 500 ? BY_STATUS[status] : Server
  if (!Class && (named || status === 413 || (status === 400 && !ruled)))
    return invalid(operation, named ?? [], said, answer, more)
  return fail(Class ?? (status === 409 && !ruled ? Conflict : Refused), operation, said, answer, more)
}
