// Responses of the web standard, for Hono and Next.
import { toHeaders } from './attach.ts'
import type { Call } from './call.ts'
import { endCall } from './settle-purchase.ts'

/** Returns the response of a call: the stock one, or what was stored. */
export function answerCall(call: Call, stock: Response): Response {
  if (call.answer?.kind !== 'redeem') return stock
  const { response } = call.answer
  const isEmpty = NULL_STATUSES.has(response.status)
  return new Response(isEmpty ? null : Buffer.from(response.body, 'base64'), {
    status: response.status,
    headers: toHeaders(call, response),
  })
}

const NULL_STATUSES = new Set([204, 205, 304])

/** Records the delivery of a response: it is delivered when its reader has taken the last byte and asks for more, and not if the reader cancels before. */
export async function watchDelivery(call: Call, response: Response): Promise<Response> {
  if (call.entry?.purchase.state !== 'paid' || response.body === null) {
    await endCall(call, true)
    return response
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  let isTaken = bytes.byteLength === 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isTaken) {
          isTaken = true
          controller.enqueue(bytes)
          return
        }
        await endCall(call, true)
        controller.close()
      },
      cancel: () => endCall(call, false),
    },
    { highWaterMark: 0 },
  )
  const headers = new Headers(response.headers)
  headers.set('content-length', String(bytes.byteLength))
  return new Response(body, { status: response.status, headers })
}
