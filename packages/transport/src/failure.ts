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

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined
}

/** Seconds of a Retry-After header, given as seconds or as a date. */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const header = headers.get('retry-after')
  if (!header) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000)
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined
}

function issuesOf(body: unknown): Issue[] | undefined {
  const found = field(field(body, 'data'), 'issues') ?? field(body, 'issues')
  if (!Array.isArray(found)) return undefined
  return found.map((issue) => ({
    path: text(field(issue, 'path')) ?? '',
    message: text(field(issue, 'message')) ?? '',
  }))
}

/** The typed error of an answer that says the call failed. Its body may be anything: a proxy's page, nothing at all. */
export function failureOf(operation: string, answer: Answer, now: number): MintmarkError {
  const { body, headers, requestId } = answer
  const code = field(body, 'code')
  const reason =
    text(field(body, 'error')) ?? text(field(body, 'errorReason')) ?? text(field(body, 'invalidReason'))
  // A failed envelope may come with HTTP 200: its code then is the best status there is.
  const fromCode = typeof code === 'number' ? Number(String(code).slice(0, 3)) : 0
  const status =
    answer.status >= 400 ? answer.status : fromCode >= 400 && fromCode < 600 ? fromCode : answer.status
  const details: ErrorDetails = {
    operation,
    status: answer.status,
    code: typeof code === 'number' ? code : undefined,
    reason,
    requestId,
  }
  const said = text(field(body, 'msg')) ?? text(field(body, 'message')) ?? reason
  const message = `${operation}: ${status}${said ? ` ${said}` : ''}`
  const issues = issuesOf(body)
  if (status === 401) return new Unauthorized(message, details)
  if (status === 402) return new InsufficientBalance(message, details)
  if (status === 403) return new Forbidden(message, details)
  if (status === 404) return new NotFound(message, details)
  if (status === 429) return new RateLimited(message, { ...details, retryAfter: retryAfterOf(headers, now) })
  if (status >= 500) return new Server(message, details)
  if (issues || status === 413 || (status === 400 && !reason)) {
    const told = issues?.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
    return new InvalidInput(told ? `${operation}: ${status} ${told}` : message, {
      ...details,
      issues: issues ?? [],
    })
  }
  if (status === 409 && !(typeof code === 'number' && code > 9999)) return new Conflict(message, details)
  return new Refused(message, details)
}
