import {
  ConflictError,
  ForbiddenError,
  InsufficientBalanceError,
  InvalidInputError,
  type MintmarkError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  ServerError,
  UnauthorizedError,
  type UnknownOutcomeDetails,
  UnknownOutcomeError,
} from '@mintmark/envelope'
import { type AnyErrorClass, createCallError, joinIssues, type OperationShape } from '@mintmark/operation'
import { getField, getText, type Received } from './received.ts'

const CLASS_BY_STATUS: Record<number, AnyErrorClass> = {
  401: UnauthorizedError,
  402: InsufficientBalanceError,
  403: ForbiddenError,
  404: NotFoundError,
  429: RateLimitedError,
}

/** Words with which the facilitator names a kind of error instead of the reason of a refusal. */
const KINDS = new Set([
  'Conflict',
  'Forbidden',
  'InsufficientBalance',
  'InvalidInput',
  'MethodNotAllowed',
  'NotFound',
  'RateLimited',
  'ServerError',
  'Unauthorized',
  'Unavailable',
])

/**
 * Creates the error of a response that reports a failure. Its body can be anything, such as a proxy's page.
 *
 * @param unknownOutcome Set when the call may have taken effect.
 */
export function createResponseError(
  operation: OperationShape,
  response: Received,
  now: number,
  unknownOutcome: UnknownOutcomeDetails | undefined,
): MintmarkError {
  const { body, headers } = response
  const code = getField(body, 'code')
  const data = getField(body, 'data')
  const word = getText(data, 'reason') ?? getText(body, 'error', 'errorReason', 'invalidReason')
  const reason = word !== undefined && KINDS.has(word) ? undefined : word
  // A failed envelope may have HTTP status 200. Then the code is the status, or begins with it.
  const statusInCode = Number(/^([45]\d\d)(\d\d)?$/.exec(String(code))?.[1])
  const status = response.status < 400 && statusInCode ? statusInCode : response.status
  const message = `${status} ${getText(body, 'msg', 'message') ?? word ?? ''}`.trim()
  // Retry-After has seconds or a date.
  const retryAfter = headers.get('retry-after') ?? ''
  const seconds = Math.ceil(Number(retryAfter) || (Date.parse(retryAfter) - now) / 1000)
  const details = {
    code: typeof code === 'number' ? code : undefined,
    reason,
    retryAfter: seconds > 0 ? seconds : undefined,
    ...unknownOutcome,
  }
  const create = (Class: AnyErrorClass) => createCallError(Class, operation, message, response, details)

  const StatusClass = status < 500 ? CLASS_BY_STATUS[status] : ServerError
  const Class = unknownOutcome ? UnknownOutcomeError : StatusClass
  if (Class) return create(Class)
  // Codes of the gateway's rules have five digits; other codes are HTTP statuses.
  const isRule = Number(code) > 9999 || reason
  const listed = getField(data, 'issues') ?? getField(body, 'issues')
  if (Array.isArray(listed) || status === 413 || (status === 400 && !isRule)) {
    const issues = [listed ?? []].flat().map((issue) => ({
      path: getText(issue, 'path') ?? '',
      message: getText(issue, 'message') ?? '',
    }))
    return createCallError(InvalidInputError, operation, joinIssues(issues) || message, response, {
      ...details,
      issues,
    })
  }
  return create(status === 409 && !isRule ? ConflictError : RefusedError)
}
