import { InvalidInputError, type Issue, isMintmarkError, type MintmarkError } from '@mintmark/envelope'
import type { AnyOperation, CallResult, ErrorOf, OperationShape } from './types.ts'

/** Any class of errors. Callers pass the details that the class requires. */
export type AnyErrorClass = new (message: string, details: never) => MintmarkError

/**
 * Creates an error of a call. `details` are those of the class, in addition to what the operation and the
 * response provide.
 */
export function createCallError(
  Class: AnyErrorClass,
  { id }: OperationShape,
  message: string,
  response: Pick<CallResult, 'status' | 'requestId'> | undefined,
  details: object,
): MintmarkError {
  const allDetails: object = {
    operation: id,
    status: response?.status,
    requestId: response?.requestId,
    ...details,
  }
  return new Class(`${id}: ${message}`, allDetails as never)
}

/** Joins the first five issues to a sentence. */
export function joinIssues(issues: readonly Issue[]): string {
  return issues
    .slice(0, 5)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
    .join('; ')
}

/** Creates an {@link InvalidInputError} for issues that were found before the call was sent. */
export function createInputError(operation: OperationShape, issues: readonly Issue[]): MintmarkError {
  return createCallError(InvalidInputError, operation, joinIssues(issues), undefined, { issues })
}

/**
 * Whether a call of the operation ended in this error. Narrows `error.reason` to the words that the operation
 * declares, and `error.detail` to that of the compared word.
 *
 * @example
 * if (isErrorOf(orders.preOrder, error) && error.reason === 'OUT_OF_STOCK') offer(error.detail.remaining)
 */
export function isErrorOf<O extends AnyOperation>(operation: O, error: unknown): error is ErrorOf<O> {
  return isMintmarkError(error) && error.operation === operation.id
}
