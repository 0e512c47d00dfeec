import type { EventTypes } from '@mintmark/operation'
import type * as v from 'valibot'
import { type Components, toReference } from './components.ts'
import type { Json } from './schema-limits.ts'
import { toTypeName } from './schema-names.ts'

/** The events that a server sends to webhooks. */
export interface DocumentedEvents {
  /** The schema of all events. Each has the fields `type` and `data`. */
  readonly event: v.GenericSchema
  /** The name of the schema. */
  readonly name: string
  readonly types: EventTypes
}

const toHeader = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
})

/** The headers of a message of Standard Webhooks. */
export const WEBHOOK_PARAMETERS: Json = {
  WebhookId: toHeader('webhook-id', "The event's id, the same in each attempt"),
  WebhookTimestamp: toHeader('webhook-timestamp', 'Seconds since the epoch'),
  WebhookSignature: toHeader(
    'webhook-signature',
    '`v1,` and the HMAC-SHA-256 of id, timestamp and body in base64; after a rotation, several with spaces between',
  ),
}

/**
 * Adds a schema for each kind of data that events have, and one for all events. Returns the message that
 * webhooks receive.
 */
export function toWebhooks({ event, name, types }: DocumentedEvents, components: Components): Json {
  const { properties, ...rest } = components.toFields(event, name)
  const mapping: Record<string, string> = {}
  for (const [data, members] of Map.groupBy(Object.entries(types), ([, type]) => type.data)) {
    const [[first] = ['']] = members
    const record = components.convert(data, toTypeName(first))
    const recordName = String(record.$ref).split('/').at(-1)
    const type = { type: 'string', enum: members.map(([each]) => each) }
    const reference = components.add(`${recordName?.replace(/EventData$/, '')}Event`, {
      ...rest,
      description: members.map(([each, { description }]) => `\`${each}\`: ${description}`).join('\n\n'),
      properties: { ...(properties as Json), type, data: record },
    })
    for (const [each] of members) mapping[each] = String(reference.$ref)
  }
  components.define(event, name, {
    oneOf: [...new Set(Object.values(mapping))].map(($ref) => ({ $ref })),
    discriminator: { propertyName: 'type', mapping },
  })
  return { event: toWebhook(toReference(name)) }
}

function toWebhook(schema: Json): Json {
  const parameters = Object.keys(WEBHOOK_PARAMETERS).map((parameter) => ({
    $ref: `#/components/parameters/${parameter}`,
  }))
  return {
    post: {
      operationId: 'onEvent',
      summary: 'An event, signed as Standard Webhooks describe it',
      tags: ['webhooks'],
      security: [],
      parameters,
      requestBody: { content: { 'application/json': { schema } } },
      responses: { '2XX': { description: 'Received' } },
    },
  }
}
