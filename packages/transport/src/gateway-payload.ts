import type { Envelope, Schema } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import * as v from 'valibot'
import type { Payload } from './check-data.ts'
import { getField, type Received } from './received.ts'

/**
 * Returns the data of a gateway's response and what is checked of it. Returns undefined if the envelope
 * reports a failure.
 */
export function getGatewayPayload({ data, result }: OperationShape, { body }: Received): Payload | undefined {
  if (result === 'event-stream') return { data: body }
  if (getField(body, 'success') === false) return undefined
  // `Envelope` with the schema of the data, so that the paths of issues begin at the envelope.
  const schema = v.looseObject({ code: v.number(), data, msg: v.string(), success: v.boolean() })
  return { data: getField(body, 'data'), value: body, schema: schema as Schema<Envelope> }
}
