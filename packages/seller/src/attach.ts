// Attaches the layer to the stock classes of `@x402/core`. Outside of a call of the layer they work as before.
import type { HTTPResponseInstructions, x402HTTPResourceServer, x402ResourceServer } from '@x402/core/server'
import { beginPurchase } from './begin-purchase.ts'
import { type Call, calls, type Refusal } from './call.ts'
import type { Presentation } from './presentation.ts'
import type { StoredResponse } from './purchase.ts'
import { settlePurchase } from './settle-purchase.ts'

const attached = new WeakSet<object>()

/** Makes a resource server begin and settle purchases in calls of the layer. */
export function attachToResourceServer(server: x402ResourceServer): void {
  if (attached.has(server)) return
  attached.add(server)
  const verifyStock = server.verifyPayment.bind(server)
  const settleStock = server.settlePayment.bind(server)
  const present = (
    [payload, requirements, extensions, transport]: Parameters<typeof verifyStock>,
    phase?: Parameters<typeof settleStock>[5],
  ): Presentation => ({
    payload,
    requirements,
    verify: (presented = payload) => verifyStock(presented, requirements, extensions, transport),
    settle: (presented, terms, overrides) =>
      settleStock(presented, terms, extensions, transport, overrides, phase),
  })
  server.verifyPayment = async (...parameters) => {
    const [payload, requirements] = parameters
    const call = calls.getStore()
    // Other flows settle before the handler.
    if (call === undefined || server.getPaymentFlow(payload, requirements) !== 'authorization')
      return verifyStock(...parameters)
    return beginPurchase(call, present(parameters))
  }
  server.settlePayment = async (payload, requirements, extensions, transport, overrides, phase) => {
    const call = calls.getStore()
    if (call?.entry === undefined)
      return settleStock(payload, requirements, extensions, transport, overrides, phase)
    const presentation = present([payload, requirements, extensions, transport], phase)
    return settlePurchase(call, call.entry, presentation, overrides)
  }
}

/** Makes an HTTP server of `@x402/core` answer calls of the layer by what was stored, or by a refusal that asks for nothing. */
export function attachToHttpServer(http: x402HTTPResourceServer): void {
  attachToResourceServer(http.server)
  if (attached.has(http)) return
  attached.add(http)
  const processStock = http.processHTTPRequest.bind(http)
  const settleStock = http.processSettlement.bind(http)
  http.processHTTPRequest = async (...parameters) => {
    const result = await processStock(...parameters)
    const call = calls.getStore()
    return call?.answer === undefined ? result : { type: 'payment-error', response: toInstructions(call) }
  }
  http.processSettlement = async (payload, requirements, extensions, transport, ...rest) => {
    const call = calls.getStore()
    const { responseBody: body, responseHeaders: headers = {} } = transport ?? {}
    if (call !== undefined && body !== undefined) call.written = { headers, body }
    const result = await settleStock(payload, requirements, extensions, transport, ...rest)
    if (call?.answer === undefined || result.success) return result
    return { ...result, response: toInstructions(call) }
  }
}

/** Converts the answer of a call to what the stock middleware writes. `isHtml` makes it write the body as it is. */
function toInstructions(call: Call): HTTPResponseInstructions {
  if (call.answer === undefined) throw new Error('The call has no answer')
  if (call.answer.kind === 'refuse') return toRefusal(call.answer.refusal)
  const { status, body } = call.answer.response
  return {
    status,
    headers: toHeaders(call, call.answer.response),
    // A response of some statuses must have no body, not even an empty one.
    ...(body !== '' && { body: Buffer.from(body, 'base64') }),
    isHtml: true,
  }
}

/** Returns the headers of a response that is given again. */
export function toHeaders({ entry }: Call, { headers }: StoredResponse): Record<string, string> {
  const settlement = entry?.purchase.settlement
  return {
    ...headers,
    'cache-control': 'private, no-store',
    ...(settlement && { 'PAYMENT-RESPONSE': Buffer.from(JSON.stringify(settlement)).toString('base64') }),
  }
}

function toRefusal({ status, error, message, retryAfter }: Refusal): HTTPResponseInstructions {
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: { error, message },
  }
}
