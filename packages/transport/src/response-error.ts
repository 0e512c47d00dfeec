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

const CLASS_BY_STATUS: Record<number, AnyErrorClass & { readonly kind: string }> = {
  400: InvalidInputError,
  401: UnauthorizedError,
  402: InsufficientBalanceError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidInputError,
  429: RateLimitedError,
}

/**
 * Creates the error of a response that reports a failure. Its body can be anything, such as a proxy's page.
 *
 * @param unknownOutcome Set when the call may have taken effect.
 */
export function createResponseError(
  operation: OperationShape,
  response: Received,
  unknownOutcome: UnknownOutcomeDetails | undefined,
): MintmarkError {
  const { body } = response
  const code = getField(body, 'code')
  // The facilitator's failures have no envelope.
  const data = getField(body, 'data') ?? body
  const word = getText(data, 'reason') ?? getText(body, 'error', 'errorReason', 'invalidReason')
  // `exec` converts any value to a text. A failed envelope may have HTTP status 200. Then the code is the status, or begins with it.
  const statusInCode = Number(/^([45]\d\d)(\d\d)?$/.exec(code as string)?.[1])
  const status = (response.status < 400 && statusInCode) || response.status
  const message = `${status} ${getText(body, 'msg', 'message') ?? word ?? ''}`.trim()
  const StatusClass = status < 500 ? CLASS_BY_STATUS[status] : ServerError
  // Without a rule, the facilitator's word is the kind of the error.
  const reason = word === StatusClass?.kind ? undefined : word
  // Codes of the gateway's rules have five digits; other codes are HTTP statuses. Anything compares to a number.
  const isRule = [400, 409].includes(status) && ((code as number) > 9999 || reason)
  const listed = getField(data, 'issues')
  const RuleClass = listed ? InvalidInputError : RefusedError
  const Class = unknownOutcome ? UnknownOutcomeError : (!isRule && StatusClass) || RuleClass
  const issues = [listed ?? []].flat().map((issue) => ({
    path: getText(issue, 'path') ?? '',
    message: getText(issue, 'message') ?? '',
  }))
  const page = /<(\S+)>; rel="help"/.exec(response.headers.get('link') ?? '')?.[1]
  return createCallError(Class, operation, joinIssues(issues) || message, response, {
    docs: page && `${page}#${(reason ?? Class.kind).toLowerCase()}`,
    code: typeof code === 'number' ? code : undefined,
    reason,
    detail: getField(data, 'detail'),
    retryAfter: response.retryAfter,
    issues: Class === InvalidInputError ? issues : undefined,
    ...unknownOutcome,
  })
}
