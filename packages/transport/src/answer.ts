import { describeIssue, UnexpectedResponse } from '@mintmark/envelope'
import * as v from 'valibot'
import { type Answer, fail, failureOf } from './failure.ts'
import { notify } from './notify.ts'
import type { OperationShape } from './operation.ts'
import type { ClientOptions } from './options.ts'
import type { Wire } from './send.ts'

/** An answer's data, checked as the client's `responses` says; or the typed error that the answer tells. */
export function dataOf(
  operation: OperationShape,
  answer: Answer,
  wire: Wire,
  client: ClientOptions,
): unknown {
  const { status, body } = answer
  const { responses = 'check' } = client
  const fits = status >= 200 && status < 300

  function unexpected(place: string, message: string, received: unknown): UnexpectedResponse {
    const accepted = operation.effect === 'write' && fits
    const after = accepted ? ' (the write was accepted)' : ''
    const said = `${place && `${place}: `}${message} in the answer${after}`
    return fail(UnexpectedResponse, operation, said, answer, { field: place, received, accepted })
  }

  if (status >= 400 || wire.failed?.(answer)) throw failureOf(operation, answer, (client.now ?? Date.now)())
  // A browser shows a redirect, which is not followed, as status 0.
  if (!fits) throw unexpected('', `Expected data, received HTTP ${status}`, body)
  const found = wire.find(operation, answer)
  if (!found) return undefined
  const [data, looked, schema, prefix] = found
  // Without an envelope there is no data to deliver, whatever the mode.
  if (data === undefined) throw unexpected('', 'Expected data', body)
  if (responses === 'off') return data
  const checked = v.safeParse(schema, looked, { abortEarly: true })
  if (!checked.success) {
    const { path, message } = describeIssue(checked.issues[0])
    const place = [prefix, path].filter(Boolean).join('.')
    if (responses === 'check') throw unexpected(place, message, data)
    notify(() => client.onDeviation?.({ operation: operation.id, field: place, message }))
  }
  return data
}
