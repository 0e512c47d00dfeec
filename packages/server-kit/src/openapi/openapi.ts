import type { Entries } from '@mintmark/envelope'
import type { OperationShape, Rule } from '@mintmark/operation'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import type { FieldLimits } from '../http/field-limits.ts'
import { getErrorResponse, isRule } from '../http/http-error.ts'
import { addLimits, type Json } from './schema-limits.ts'

/** Docstrings by operation and field, taken from the sources by the build. */
export interface Descriptions {
  operations: Record<string, { summary: string; deprecated?: true; fields?: Record<string, string> }>
}

export interface DocumentOptions {
  title: string
  version: string
  description: string
  serverUrl: string
  operations: readonly OperationShape[]
  /** Returns the limits of an operation's fields. */
  getLimits?: (operation: OperationShape) => FieldLimits | undefined
  descriptions?: Descriptions | undefined
}

/** Converts a valibot schema to a JSON Schema, without the checks for which JSON Schema has no keyword. */
function toSchema(schema: v.GenericSchema): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' })
  return json
}

/** Puts a field's docstring before the description of its limit. */
function withDescription(schema: Json, docstring: string | undefined): Json {
  if (!docstring) return schema
  const limit = schema.description
  return { ...schema, description: limit === undefined ? docstring : `${docstring}\n\n${limit}` }
}

/** Returns the first sentence, up to a colon or a period, as a heading. */
function getHeadline(text: string): string {
  return text.split(/[\n:]|\.(?:\s|$)/)[0] ?? ''
}

function isRequired(schema: v.GenericSchema): boolean {
  return schema.type !== 'optional'
}

/** Returns the JSON Schemas of an operation's fields, with their limits. */
function toInputSchemas(operation: OperationShape, limits: FieldLimits | undefined): Record<string, Json> {
  const { params, query, body } = operation
  const schemas = Object.fromEntries(
    Object.entries({ ...params, ...query, ...body }).map(([name, schema]) => [name, toSchema(schema)]),
  )
  if (limits !== undefined) addLimits(schemas, operation, limits)
  return schemas
}

function toParameters(
  place: 'path' | 'query',
  entries: Entries | undefined,
  schemas: Record<string, Json>,
  docstrings: Record<string, string> | undefined,
): Json[] {
  return Object.entries(entries ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || isRequired(schema),
    schema: schemas[name],
    ...(docstrings?.[name] && { description: docstrings[name] }),
  }))
}

function toRequestBody(
  operation: OperationShape,
  schemas: Record<string, Json>,
  docstrings: Record<string, string> | undefined,
): Json {
  const entries = Object.entries(operation.body ?? {})
  const required = entries.filter(([, schema]) => isRequired(schema)).map(([name]) => name)
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            entries.map(([name]) => [name, withDescription(schemas[name] ?? {}, docstrings?.[name])]),
          ),
          ...(required.length > 0 && { required }),
          ...(operation.oneOf && { oneOf: operation.oneOf.map((name) => ({ required: [name] })) }),
          additionalProperties: operation.openBody === true,
        },
      },
    },
  }
}

function toResponse(operation: OperationShape): Json {
  if (operation.result === 'none') return { description: 'Done; no body' }
  if (operation.result === 'header') {
    return {
      description: 'Done; no body. The PAYMENT-RESPONSE header contains the settlement: JSON in base64.',
      headers: { 'PAYMENT-RESPONSE': { schema: { type: 'string' } } },
    }
  }
  const data = toSchema(operation.data)
  if (operation.result === 'event-stream') {
    return {
      description:
        'Server-sent events without an end. The data of each message has this schema. Its id is the place to resume at.',
      content: { 'text/event-stream': { schema: data } },
    }
  }
  const schema =
    operation.result === 'json'
      ? data
      : {
          type: 'object',
          properties: {
            code: { type: 'integer' },
            data,
            msg: { type: 'string' },
            success: { type: 'boolean' },
          },
          required: ['code', 'data', 'msg', 'success'],
        }
  return { description: 'Done', content: { 'application/json': { schema } } }
}

function toErrorResponses(operation: OperationShape): Json {
  const lines: Record<string, string[]> = {
    400: ['The input is invalid'],
    401: ['The caller could not be authenticated'],
    ...(operation.scope && { 403: [`The key lacks the scope ${operation.scope}`] }),
    429: ['Too many requests'],
    500: ['Internal server error'],
    503: ['The server is busy'],
    504: ['The connection to the database was lost. A change may have been made'],
  }
  const reasons: Record<string, string[]> = {}
  const details: Record<string, Json> = {}
  for (const error of operation.errors) {
    const { status, message } = getErrorResponse(error)
    const line = isRule(error) ? describeRule(error, message) : message
    lines[status] = [...(lines[status] ?? []), line]
    if (!isRule(error)) continue
    reasons[status] = [...(reasons[status] ?? []), error.reason]
    if (error.detail !== undefined)
      details[status] = { ...details[status], [error.reason]: toSchema(v.object(error.detail)) }
  }
  return Object.fromEntries(
    Object.entries(lines).map(([status, descriptions]) => [
      status,
      {
        description: descriptions.join('; '),
        ...(reasons[status] && { 'x-reasons': reasons[status] }),
        ...(details[status] && { 'x-details': details[status] }),
      },
    ]),
  )
}

/** Describes a rule, for example `40907 OUT_OF_STOCK: Not enough items left`. */
function describeRule({ code, reason }: Rule, message: string): string {
  return `${code === undefined ? '' : `${code} `}${reason}: ${message}`
}

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The id of the last message that was received. It takes precedence over `after`.',
}

function toOperationObject(operation: OperationShape, options: DocumentOptions): Json {
  const description = options.descriptions?.operations[operation.id]
  const schemas = toInputSchemas(operation, options.getLimits?.(operation))
  return {
    operationId: operation.id,
    tags: [operation.id.split('.')[0]],
    ...(description && { summary: getHeadline(description.summary), description: description.summary }),
    ...(description?.deprecated && { deprecated: true }),
    'x-source': operation.source,
    ...(operation.scope && { 'x-scope': operation.scope }),
    ...(operation.publishable && { security: [SIGNED, { publishableKey: [] }] }),
    parameters: [
      ...toParameters('path', operation.params, schemas, description?.fields),
      ...toParameters('query', operation.query, schemas, description?.fields),
      ...(operation.result === 'event-stream' ? [LAST_EVENT_ID] : []),
    ],
    ...(operation.body && { requestBody: toRequestBody(operation, schemas, description?.fields) }),
    responses: { 200: toResponse(operation), ...toErrorResponses(operation) },
  }
}

const toHeaderScheme = (name: string, description: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

/** The security requirement of a signed call. */
const SIGNED: Json = { apiKey: [], signature: [], timestamp: [] }

const GATEWAY_SECURITY_SCHEMES = {
  apiKey: toHeaderScheme('X-Api-Key', 'The key'),
  signature: toHeaderScheme(
    'X-Signature',
    'The signature of the call; see the README of @mintmark/core-auth',
  ),
  timestamp: toHeaderScheme('X-Timestamp', 'Milliseconds since the epoch'),
  publishableKey: toHeaderScheme(
    'X-Publishable-Key',
    'A publishable key, sent from a page of one of its origins instead of a signature',
  ),
}

const FACILITATOR_SECURITY_SCHEMES = { bearer: { type: 'http', scheme: 'bearer' } }

/** Creates the OpenAPI 3.1 document of a server from its operations. */
export function createOpenApiDocument(options: DocumentOptions): Json {
  const paths: Record<string, Json> = {}
  for (const operation of options.operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = toOperationObject(operation, options)
  }
  const isGateway = options.operations.some(({ service }) => service === 'gateway')
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    security: isGateway ? [SIGNED] : [{ bearer: [] }],
    paths,
    components: { securitySchemes: isGateway ? GATEWAY_SECURITY_SCHEMES : FACILITATOR_SECURITY_SCHEMES },
  }
}
