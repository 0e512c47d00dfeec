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

/** A field that holds text, at most 500 characters of it. */
export function text(value: unknown, name: string): string | undefined {
  const found = field(value, name)
  return typeof found === 'string' ? found.slice(0, 500) || undefined : undefined
}

/** Seconds of a Retry-After header, given as seconds or as a date. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

function issuesOf(body: unknown): Issue[] | undefined {
  const found = field(field(body, 'data'), 'issues') ?? field(body, 'issues')
  return Array.isArray(found)
    ? found.map((issue) => ({ path: text(issue, 'path') ?? '', message: text(issue, 'message') ?? '' }))
    : undefined
}

/** The first three issues as one line. */
export function tell(issues: readonly Issue[]): string {
  const told = issues.slice(0, 3).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  return told.join('; ') + (issues.length > 3 ? `, and ${issues.length - 3} more` : '')
}

/** The typed error of an answer that says the call failed. Its body may be anything: a proxy's page, nothing at all. */
export function failureOf(operation: string, answer: Answer, now: number): MintmarkError {
  const { body, headers, requestId } = answer
  const found = field(body, 'code')
  const code = typeof found === 'number' ? found : undefined
  const reason = text(body, 'error') ?? text(body, 'errorReason') ?? text(body, 'invalidReason')
  // A failed envelope may come with HTTP 200: a code that is, or begins with, a status then is the best there is.
  const fromCode = Number(/^([45]\d\d)(?:\d\d)?$/.exec(String(code))?.[1])
  const status = answer.status < 400 && fromCode ? fromCode : answer.status
  const details: ErrorDetails = { operation, status: answer.status, code, reason, requestId }
  const issues = issuesOf(body)
  const said = issues?.length ? tell(issues) : (text(body, 'msg') ?? text(body, 'message') ?? reason ?? '')
  const message = `${operation}: ${status} ${said}`.trimEnd()
  // Five digits are a rule's code; a facilitator gives its reasons as words.
  const ruled = Number(code) > 9999 || reason !== undefined
  if (status === 401) return new Unauthorized(message, details)
  if (status === 402) return new InsufficientBalance(message, details)
  if (status === 403) return new Forbidden(message, details)
  if (status === 404) return new NotFound(message, details)
  if (status === 429) return new RateLimited(message, { ...details, retryAfter: retryAfterOf(headers, now) })
  if (status >= 500) return new Server(message, details)
  if (issues || status === 413 || (status === 400 && !ruled))
    return new InvalidInput(message, { ...details, issues: issues ?? [] })
  return status === 409 && !ruled ? new Conflict(message, details) : new Refused(message, details)
}
