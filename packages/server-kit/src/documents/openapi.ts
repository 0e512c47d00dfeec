import type { Entries } from '@mintmark/envelope'
import type { OperationShape, Rule } from '@mintmark/operation'
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import type { FieldLimits } from '../serving/field-limits.ts'
import { getErrorResponse, isRule, type RuleResponses } from '../serving/http-error.ts'
import { addLimits, type Json } from './schema-limits.ts'

/** Docstrings by operation and field, taken from the sources by the build. */
export interface Descriptions {
  operations: Record<string, { summary: string; fields?: Record<string, string> }>
}

export interface DocumentOptions {
  title: string
  version: string
  description: string
  serverUrl: string
  operations: readonly OperationShape[]
  /** Returns the limits of an operation's fields. */
  limitsOf?: (operation: OperationShape) => FieldLimits | undefined
  /** What is said where a rule refuses. */
  rules: RuleResponses
  descriptions?: Descriptions | undefined
}

// Checks that JSON Schema has no word for are left out; the server makes them all the same.
function schemaOf(schema: v.GenericSchema): Json {
  const { $schema: _, ...json } = toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' })
  return json
}

/** Puts a field's docstring before the description of its limit. */
function withDescription(schema: Json, docstring: string | undefined): Json {
  if (!docstring) return schema
  const limit = schema.description
  return { ...schema, description: limit === undefined ? docstring : `${docstring}\n\n${limit}` }
}

/** The first sentence, as a heading: up to a colon or the full stop. */
function headline(text: string): string {
  return text.split(/[\n:]|\.(?:\s|$)/)[0] ?? ''
}

function required(schema: v.GenericSchema): boolean {
  return schema.type !== 'optional'
}

/** Returns the JSON Schemas of an operation's fields, with their limits. */
function inputSchemas(operation: OperationShape, limits: FieldLimits | undefined): Record<string, Json> {
  const { params, query, body } = operation
  const schemas = Object.fromEntries(
    Object.entries({ ...params, ...query, ...body }).map(([name, schema]) => [name, schemaOf(schema)]),
  )
  if (limits !== undefined) addLimits(schemas, operation, limits)
  return schemas
}

function parameters(
  place: 'path' | 'query',
  entries: Entries | undefined,
  schemas: Record<string, Json>,
  told: Record<string, string> | undefined,
): Json[] {
  return Object.entries(entries ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required(schema),
    schema: schemas[name],
    ...(told?.[name] && { description: told[name] }),
  }))
}

function bodyOf(
  operation: OperationShape,
  schemas: Record<string, Json>,
  told: Record<string, string> | undefined,
): Json {
  const entries = Object.entries(operation.body ?? {})
  const needed = entries.filter(([, schema]) => required(schema)).map(([name]) => name)
  return {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            entries.map(([name]) => [name, withDescription(schemas[name] ?? {}, told?.[name])]),
          ),
          ...(needed.length > 0 && { required: needed }),
          additionalProperties: operation.openBody === true,
        },
      },
    },
  }
}

function answerOf(operation: OperationShape): Json {
  if (operation.result === 'none') return { description: 'Done; no body' }
  if (operation.result === 'header') {
    return {
      description: 'Done; no body. The settlement stands in the PAYMENT-RESPONSE header, base64 of JSON.',
      headers: { 'PAYMENT-RESPONSE': { schema: { type: 'string' } } },
    }
  }
  const data = schemaOf(operation.data)
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

function failures(operation: OperationShape, rules: RuleResponses): Json {
  const lines: Record<string, string[]> = {
    400: ['The input is invalid'],
    401: ['The caller could not be authenticated'],
    ...(operation.scope && { 403: [`The key lacks the scope ${operation.scope}`] }),
    429: ['Too many calls'],
    500: ['The server failed'],
    503: ['The server is busy'],
  }
  const reasons: Record<string, string[]> = {}
  for (const error of operation.errors) {
    const { status, message } = getErrorResponse(error, rules)
    const line = isRule(error) ? describeRule(error, message) : message
    lines[status] = [...(lines[status] ?? []), line]
    if (isRule(error)) reasons[status] = [...(reasons[status] ?? []), error.reason]
  }
  return Object.fromEntries(
    Object.entries(lines).map(([status, descriptions]) => [
      status,
      {
        description: descriptions.join('; '),
        ...(reasons[status] && { 'x-reasons': reasons[status] }),
      },
    ]),
  )
}

/** Such as `40907 OUT_OF_STOCK: Not enough items left`. */
function describeRule({ code, reason }: Rule, message: string): string {
  return `${code === undefined ? '' : `${code} `}${reason}: ${message}`
}

/** The OpenAPI 3.1 document of a server, made from its operations. */
export function createOpenApiDocument(options: DocumentOptions): Json {
  const paths: Record<string, Json> = {}
  for (const operation of options.operations) {
    const told = options.descriptions?.operations[operation.id]
    const schemas = inputSchemas(operation, options.limitsOf?.(operation))
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = {
      operationId: operation.id,
      tags: [operation.id.split('.')[0]],
      ...(told && { summary: headline(told.summary), description: told.summary }),
      'x-source': operation.source,
      ...(operation.scope && { 'x-scope': operation.scope }),
      parameters: [
        ...parameters('path', operation.params, schemas, told?.fields),
        ...parameters('query', operation.query, schemas, told?.fields),
      ],
      ...(operation.body && { requestBody: bodyOf(operation, schemas, told?.fields) }),
      responses: { 200: answerOf(operation), ...failures(operation, options.rules) },
    }
  }
  const gateway = options.operations.some(({ service }) => service === 'gateway')
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    security: gateway ? [{ apiKey: [], signature: [], timestamp: [] }] : [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: gateway
        ? {
            apiKey: header('X-Api-Key', 'The key'),
            signature: header(
              'X-Signature',
              'The signature of the call; see the README of @mintmark/core-auth',
            ),
            timestamp: header('X-Timestamp', 'Milliseconds since the epoch'),
          }
        : { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}
