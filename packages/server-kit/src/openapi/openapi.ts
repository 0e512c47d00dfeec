import type { Entries } from '@mintmark/envelope'
import { keepsIdempotencyKey, type OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import type { FieldLimits } from '../http/field-limits.ts'
import { type Components, createComponents, type RecordDescriptions } from './components.ts'
import { addErrorSchemas, createFailures, type Failures, toErrorResponses, toResponse } from './responses.ts'
import { addLimits, type Json } from './schema-limits.ts'
import { type SchemaNames, toTypeName } from './schema-names.ts'
import { type DocumentedEvents, toWebhooks, WEBHOOK_PARAMETERS } from './webhook-objects.ts'

interface OperationDescription {
  summary: string
  deprecated?: true
  fields?: Record<string, string>
  /** The input of the docstring's example. */
  example?: Json
}

/** Docstrings by operation, record and field, taken from the sources by the build. */
export interface Descriptions {
  operations: Record<string, OperationDescription>
  records?: RecordDescriptions
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
  /** The names of the schemas of records. Others are named by the operation or the record that has them. */
  names?: SchemaNames
  /** The events that webhooks receive. */
  events?: DocumentedEvents
}

function isRequired(schema: v.GenericSchema): boolean {
  return schema.type !== 'optional'
}

const toInputName = ({ id }: OperationShape): string => `${toTypeName(id)}Input`

/** Returns the JSON Schemas of an operation's fields, with their limits. */
function toInputSchemas(
  operation: OperationShape,
  { operations, getLimits }: DocumentOptions,
  components: Components,
): Record<string, Json> {
  const { params, query, body } = operation
  const limits = getLimits?.(operation)
  const group = operations.filter((each) => toTag(each) === toTag(operation))
  // A list of inputs has the body of the operation that accepts one.
  const findName = (entries: unknown) => {
    const same = entries === undefined ? undefined : group.find((each) => each.body === entries)
    return same ? toInputName(same) : undefined
  }
  const schemas = Object.fromEntries(
    Object.entries({ ...params, ...query, ...body }).map(([name, schema]) => [
      name,
      components.toInline(schema, findName),
    ]),
  )
  if (limits !== undefined) addLimits(schemas, operation, limits)
  return schemas
}

function toParameters(
  place: 'path' | 'query',
  entries: Entries | undefined,
  schemas: Record<string, Json>,
  { components, docstrings, inputName }: Input,
): Json[] {
  return Object.entries(entries ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    ...((place === 'path' || isRequired(schema)) && { required: true }),
    schema: components.extractParts(schemas[name] ?? {}, inputName + toTypeName(name)),
    ...(docstrings?.[name] && { description: docstrings[name] }),
  }))
}

function toRequestBody(
  operation: OperationShape,
  schemas: Record<string, Json>,
  { components, docstrings, inputName, example }: Input,
): Json {
  const entries = Object.entries(operation.body ?? {})
  const required = entries.filter(([, schema]) => isRequired(schema)).map(([name]) => name)
  const schema = components.extractParts(
    {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name]) => [name, schemas[name]])),
      ...(required.length > 0 && { required }),
      additionalProperties: operation.openBody === true,
    },
    inputName,
    docstrings,
  )
  const oneOf = operation.oneOf?.map((name) => ({ required: [name] }))
  const reference = components.add(inputName, oneOf === undefined ? schema : { ...schema, oneOf })
  const given = Object.entries(example ?? {}).filter(([name]) => operation.body && name in operation.body)
  const media = { schema: reference, ...(given.length > 0 && { example: Object.fromEntries(given) }) }
  return { required: true, content: { 'application/json': media } }
}

/** What the conversion of an operation's input needs. */
interface Input {
  readonly components: Components
  readonly docstrings: Readonly<Record<string, string>> | undefined
  /** The name of the schema of the body, and the start of the names of objects inside. */
  readonly inputName: string
  readonly example: Json | undefined
}

const LAST_EVENT_ID: Json = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The id of the last message that was received. It takes precedence over `after`.',
}

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'Your own text. The same call with the same key returns the first response.',
}

function toOperationObject(operation: OperationShape, options: DocumentOptions, failures: Failures): Json {
  const { components } = failures
  const description = options.descriptions?.operations[operation.id]
  const schemas = toInputSchemas(operation, options, components)
  const { fields: docstrings, example } = description ?? {}
  const input = { components, docstrings, example, inputName: toInputName(operation) }
  return {
    operationId: operation.id,
    tags: [toTag(operation)],
    ...(description && toTexts(description.summary)),
    ...(description?.deprecated && { deprecated: true }),
    ...(operation.scope && { 'x-scope': operation.scope }),
    ...(operation.publishable && { security: [SIGNED, { publishableKey: [] }] }),
    parameters: [
      ...toParameters('path', operation.params, schemas, input),
      ...toParameters('query', operation.query, schemas, input),
      ...(operation.result === 'event-stream' ? [LAST_EVENT_ID] : []),
      ...(keepsIdempotencyKey(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(operation.body && { requestBody: toRequestBody(operation, schemas, input) }),
    responses: { 200: toResponse(operation, components), ...toErrorResponses(operation, failures) },
  }
}

const toTag = ({ id }: OperationShape): string => id.split('.')[0] ?? id

/** Returns the first sentence as the summary, and the rest of the docstring. */
function toTexts(docstring: string): Json {
  const [, summary = docstring, description = ''] = /^(.*?)\.(?:\s+(.*))?$/s.exec(docstring) ?? []
  return description === '' ? { summary } : { summary, description }
}

/** Describes a group of operations by its name: `Promo code cards` of `promoCodeCards`. */
function toTagObject(name: string): Json {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return { name, description: words.charAt(0).toUpperCase() + words.slice(1) }
}

/** How many operations have a parameter before it is a component. */
const SHARED_BY = 2

/** Moves parameters that several operations have to components. Of two with one name, the more common. */
function shareParameters(operations: readonly Json[]): Record<string, Json> {
  const lists = operations.map(({ parameters }) => parameters as Json[])
  const uses = Map.groupBy(lists.flat(), (parameter) => JSON.stringify(parameter))
  const shared: Record<string, Json> = {}
  const references = new Map<string, Json>()
  for (const [text, [parameter, ...others]] of [...uses].sort(([, a], [, b]) => b.length - a.length)) {
    const name = toTypeName(String(parameter?.name))
    if (parameter === undefined || others.length + 1 < SHARED_BY || shared[name] !== undefined) continue
    shared[name] = parameter
    references.set(text, { $ref: `#/components/parameters/${name}` })
  }
  for (const list of lists)
    list.splice(0, list.length, ...list.map((each) => references.get(JSON.stringify(each)) ?? each))
  return shared
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
    'Lowercase hexadecimal HMAC-SHA256, under the secret, of six lines without a line feed at the end: v1, X-Timestamp, method, path, sorted query, hexadecimal SHA-256 of the body',
  ),
  timestamp: toHeaderScheme('X-Timestamp', 'Milliseconds since the epoch'),
  publishableKey: toHeaderScheme(
    'X-Publishable-Key',
    'A publishable key, sent from a page of one of its origins instead of a signature',
  ),
}

const FACILITATOR_SECURITY_SCHEMES = { bearer: { type: 'http', scheme: 'bearer' } }

/**
 * Creates the OpenAPI 3.1 document of a server from its operations. Every object in it is a named component.
 */
export function createOpenApiDocument(options: DocumentOptions): Json {
  const { operations, events, descriptions } = options
  const isGateway = operations.some(({ service }) => service === 'gateway')
  const components = createComponents(options.names ?? new Map(), descriptions?.records)
  const failures = createFailures(components)
  const webhooks = events && toWebhooks(events, components)
  const paths: Record<string, Json> = {}
  for (const operation of operations) {
    const path = paths[operation.path] ?? {}
    paths[operation.path] = path
    path[operation.method.toLowerCase()] = toOperationObject(operation, options, failures)
  }
  addErrorSchemas(failures, isGateway)
  const parameters = shareParameters(Object.values(paths).flatMap((path) => Object.values(path) as Json[]))
  const tags = new Set([...operations.map(toTag), ...(events ? ['webhooks'] : [])])
  return {
    openapi: '3.1.0',
    info: {
      title: options.title,
      version: options.version,
      description: options.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: options.serverUrl }],
    externalDocs: {
      url: `${options.serverUrl.replace(/\/$/, '')}/docs/errors`,
      description: 'What each error means, and what to do',
    },
    security: isGateway ? [SIGNED] : [{ bearer: [] }],
    tags: [...tags].map(toTagObject),
    paths,
    ...(webhooks && { webhooks }),
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: failures.responses,
      parameters: { ...parameters, ...(events && WEBHOOK_PARAMETERS) },
      securitySchemes: isGateway ? GATEWAY_SECURITY_SCHEMES : FACILITATOR_SECURITY_SCHEMES,
    },
  }
}
