import { describeIssue, type Envelope, type Schema, UnexpectedResponse } from '@mintmark/envelope'
import * as v from 'valibot'
import { type Answer, failureOf, field } from './failure.ts'
import { notify } from './notify.ts'
import type { OperationShape } from './operation.ts'
import type { ClientOptions } from './options.ts'

const envelopeFields = {
  code: /* @__PURE__ */ v.number(),
  msg: /* @__PURE__ */ v.string(),
  success: /* @__PURE__ */ v.boolean(),
}

// The settlement in PAYMENT-RESPONSE: base64 of UTF-8 JSON. A facilitator need not send it.
function decodeHeader(header: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(header), (sign) => sign.charCodeAt(0))))
  } catch {
    return header
  }
}

/** An answer's data, checked as the client's `responses` says; or the typed error that the answer tells. */
export function dataOf(operation: OperationShape, answer: Answer, client: ClientOptions): unknown {
  const { status, body, headers, requestId } = answer
  const { id, result } = operation
  const enveloped = result === 'envelope'
  const mode = client.responses ?? 'check'

  if (status >= 400 || (enveloped && field(body, 'success') === false))
    throw failureOf(id, answer, (client.now ?? Date.now)())

  function deviates(place: string, message: string, received: unknown, delivered: boolean): void {
    if (delivered && mode === 'report') {
      notify(() => client.onDeviation?.({ operation: id, field: place, message }))
      return
    }
    const accepted = operation.effect === 'write' && status >= 200 && status < 300
    const after = accepted ? ' (the write was accepted: do not send it again)' : ''
    throw new UnexpectedResponse(`${id}: ${place && `${place}: `}${message} in the answer${after}`, {
      operation: id,
      status,
      requestId,
      field: place,
      received,
      accepted,
    })
  }

  // A browser shows a redirect it does not follow as status 0.
  if (status < 200 || status >= 300)
    deviates('', `Expected data, received HTTP ${status}, which is not followed,`, body, false)
  if (result === 'none') return undefined
  let looked = body
  let data = body
  let schema: Schema<unknown> = operation.data
  let prefix = ''
  if (result === 'header') {
    const header = headers.get('payment-response')
    if (!header) return undefined
    looked = data = decodeHeader(header)
    prefix = 'PAYMENT-RESPONSE'
  } else if (enveloped) {
    data = field(body, 'data')
    // Without data there is nothing to deliver, whatever the mode.
    if (data === undefined)
      deviates(
        '',
        body === undefined ? 'Expected an envelope, received nothing' : 'Expected an envelope',
        body,
        false,
      )
    schema = v.looseObject({ ...envelopeFields, data: operation.data }) as Schema<Envelope>
  }
  if (mode === 'off') return data
  const checked = v.safeParse(schema, looked, { abortEarly: true })
  if (!checked.success) {
    const { path, message } = describeIssue(checked.issues[0])
    deviates([prefix, path].filter(Boolean).join('.'), message, data, true)
  }
  return data
}
