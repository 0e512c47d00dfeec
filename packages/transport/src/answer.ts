import { describeIssue, UnexpectedResponseError } from '@mintmark/envelope'
import * as v from 'valibot'
import { type Answer, fail, told } from './failure.ts'
import { notify } from './notify.ts'
import type { OperationShape } from './operation.ts'
import type { ClientOptions } from './options.ts'

/**
 * Where an answer's data stands: the data; the value that is checked, which is the data or what is around it; and by what. Empty when
 * there is none.
 */
export type Found = readonly [data?: unknown, looked?: unknown, schema?: OperationShape['data']]

/** The data of an answer that does not say the call failed, checked as the client's `responses` says. */
export function dataOf(
  operation: OperationShape,
  answer: Answer,
  [data, looked, schema]: Found,
  client: ClientOptions,
): unknown {
  const { status, body } = answer
  const { responses } = client
  const fits = status >= 200 && status < 300
  // A browser shows a redirect, which is not followed, as status 0. Without an envelope there is no data to deliver, whatever the
  // mode.
  const missing = !fits || (schema && data === undefined)
  const checked =
    schema && responses !== 'off' ? v.safeParse(schema, looked, { abortEarly: true }) : undefined
  const issue = missing
    ? { path: '', message: `Expected data, received HTTP ${status}` }
    : checked?.issues && describeIssue(checked.issues[0])
  if (!issue) return data
  const { path: field, message } = issue
  if (missing || responses !== 'report') {
    const accepted = operation.effect === 'write' && fits
    const said = `${told([issue])} in the answer${accepted ? ' (the write was accepted)' : ''}`
    const received = missing ? body : data
    throw fail(UnexpectedResponseError, operation, said, answer, { field, received, accepted })
  }
  notify(client, 'onDeviation', { operation: operation.id, field, message })
  return data
}
