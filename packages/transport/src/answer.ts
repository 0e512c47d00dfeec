import { describeIssue, Envelope, type Issue, type Schema, UnexpectedResponse } from '@mintmark/envelope'
import * as v from 'valibot'
import { type Answer, failureOf } from './failure.ts'
import type { OperationShape } from './operation.ts'
import type { ClientOptions } from './options.ts'
import { notify } from './send.ts'

function unexpected(
  operation: OperationShape,
  answer: Answer,
  issue: Issue,
  received: unknown,
): UnexpectedResponse {
  const accepted = operation.effect === 'write' && answer.status < 400
  const where = issue.path ? `${issue.path}: ` : ''
  const after = accepted ? ' (the write was accepted: do not send it again)' : ''
  return new UnexpectedResponse(`${operation.id}: ${where}${issue.message} in the answer${after}`, {
    operation: operation.id,
    status: answer.status,
    requestId: answer.requestId,
    field: issue.path,
    received,
    accepted,
  })
}

function firstIssue(schema: Schema<unknown>, value: unknown, prefix: string): Issue | undefined {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return undefined
  const { path, message } = describeIssue(result.issues[0])
  return { path: [prefix, path].filter(Boolean).join('.'), message }
}

// The settlement in PAYMENT-RESPONSE: base64 of UTF-8 JSON. A facilitator need not send it.
function decodeHeader(header: string | null): unknown {
  if (!header) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0))))
  } catch {
    return header
  }
}

/** An answer's data, checked as the client's `responses` says; or the typed error that the answer tells. */
export function dataOf(operation: OperationShape, answer: Answer, client: ClientOptions): unknown {
  const { status, body } = answer
  const now = (client.now ?? Date.now)()
  const failed = typeof body === 'object' && body !== null && 'success' in body && body.success === false
  if (status >= 400 || (operation.result === 'envelope' && failed)) throw failureOf(operation.id, answer, now)
  if (status < 200 || status >= 300) {
    const message = `Expected an answer, received HTTP ${status}${status < 400 ? ', which is not followed' : ''}`
    throw unexpected(operation, answer, { path: '', message }, body)
  }
  if (operation.result === 'none') return undefined
  const mode = client.responses ?? 'check'
  let data = body
  let prefix = ''
  let issue: Issue | undefined
  if (operation.result === 'header') {
    data = decodeHeader(answer.headers.get('payment-response'))
    if (data === undefined) return undefined
    prefix = 'PAYMENT-RESPONSE'
  } else if (operation.result === 'envelope') {
    // Without an envelope there is no data to deliver, whatever the mode.
    if (typeof body !== 'object' || body === null || !('data' in body)) {
      const message = body === undefined ? 'Expected an envelope, received nothing' : 'Expected an envelope'
      throw unexpected(operation, answer, { path: '', message }, body)
    }
    data = body.data
    prefix = 'data'
    if (mode !== 'off') issue = firstIssue(Envelope, body, '')
  }
  if (mode === 'off') return data
  issue ??= firstIssue(operation.data, data, prefix)
  if (issue === undefined) return data
  if (mode === 'check') throw unexpected(operation, answer, issue, data)
  notify(client.onDeviation, { operation: operation.id, field: issue.path, message: issue.message })
  return data
}
