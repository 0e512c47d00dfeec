import { describeIssue, UnexpectedResponseError } from '@mintmark/envelope'
import { createCallError, joinIssues, type OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import { notify } from './notify.ts'
import type { ClientOptions } from './options.ts'
import type { Received } from './received.ts'

/** The data of a response, and what is checked of it. Empty when the operation returns no data. */
export interface Payload {
  readonly data?: unknown
  /** The data, or the object around it, so that issues have the full path. */
  readonly value?: unknown
  readonly schema?: OperationShape['data']
}

/** Returns the data of a successful response, checked according to the client's option `responses`. */
export function checkData(
  operation: OperationShape,
  response: Received,
  payload: Payload,
  client: ClientOptions,
): unknown {
  const { status, body } = response
  const { data, value, schema } = payload
  // Browsers show a redirect that was not followed as status 0.
  const isSuccess = status >= 200 && status < 300
  // Without an envelope there is no data to return, whatever the option says.
  const isMissing = !isSuccess || (schema && data === undefined)
  const checked =
    schema && client.responses !== 'off' ? v.safeParse(schema, value, { abortEarly: true }) : undefined
  const issue = isMissing
    ? { path: '', message: `Expected data, received HTTP ${status}` }
    : checked?.issues && describeIssue(checked.issues[0])
  if (!issue) return data
  const { path: field, message } = issue
  if (!isMissing && client.responses === 'report') {
    notify(client, 'onDeviation', { operation: operation.id, field, message })
    return data
  }
  const accepted = operation.effect === 'write' && isSuccess
  throw createCallError(
    UnexpectedResponseError,
    operation,
    `${joinIssues([issue])} in the response${accepted ? ' (write accepted)' : ''}`,
    response,
    { field, received: isMissing ? body : data, accepted },
  )
}
