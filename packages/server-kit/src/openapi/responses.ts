import { IDEMPOTENCY_KEY_REUSED, SIGNATURE_REPLAYED, STALE_TIMESTAMP } from '@mintmark/envelope'
import type { OperationShape, Rule } from '@mintmark/operation'
import * as v from 'valibot'
import { getErrorResponse, isRule } from '../http/http-error.ts'
import { type Components, toReference } from './components.ts'
import type { Json } from './schema-limits.ts'
import { toTypeName } from './schema-names.ts'

const toContent = (schema: Json): Json => ({ content: { 'application/json': { schema } } })

const TEXT: Json = { type: 'string' }
const ERROR_RESPONSE = 'ErrorResponse'

/** The responses that operations refer to, by the kinds of errors. */
const SHARED_RESPONSES: Readonly<Record<string, string>> = {
  InvalidInput: 'The input is invalid; `issues` names the fields',
  InsufficientBalance: 'The account cannot pay for the call',
  Forbidden: 'The caller may not do this',
  NotFound: 'The record does not exist',
  Conflict: 'The record exists already or is in use, or a call with the same Idempotency-Key is in progress',
  Failure:
    '401: the caller could not be authenticated; 403: the key lacks the scope; 429: too many requests; 500: internal server error; 503: the server is busy; 504: the connection to the database was lost, and a change may have been made',
}

/** The failures of a document: the responses that operations refer to, and the schemas of refusals. */
export interface Failures {
  readonly components: Components
  readonly responses: Json
  /** References to the schemas of rules. */
  readonly refusals: Map<string, Json>
}

export const createFailures = (components: Components): Failures => ({
  components,
  responses: {},
  refusals: new Map(),
})

/** Adds the schema of every error: what any call can fail with, or the refusal by a rule. */
export function addErrorSchemas(failures: Failures, isGateway: boolean): void {
  const { components, refusals } = failures
  const issue = components.add('InputIssue', {
    type: 'object',
    description: 'An invalid field of a request, and the reason.',
    properties: { path: { ...TEXT, description: 'The names of the fields, joined by dots.' }, message: TEXT },
    required: ['path', 'message'],
  })
  const issues = { type: 'array', items: issue }
  if (!isGateway) {
    const properties = { error: TEXT, message: TEXT, issues, payer: TEXT, transaction: TEXT }
    const failure = components.add('FailedCall', { type: 'object', properties, required: ['error'] })
    components.add(ERROR_RESPONSE, { anyOf: [failure, ...refusals.values()] })
    return
  }
  for (const rule of [STALE_TIMESTAMP, SIGNATURE_REPLAYED, IDEMPOTENCY_KEY_REUSED])
    addRefusal(rule, 'gateway', failures)
  const invalid = components.add('InvalidInput', {
    type: 'object',
    description: 'The fields at fault; no issues for an error that is no refusal by a rule.',
    properties: { issues },
  })
  const data = components.add('ErrorData', { anyOf: [invalid, ...refusals.values()] })
  components.add(ERROR_RESPONSE, toEnvelope(data, { code: { type: 'integer' }, isSuccess: false }))
}

function toEnvelope(data: Json, { code, isSuccess }: { code: Json; isSuccess: boolean }): Json {
  return {
    type: 'object',
    properties: { code, data, msg: TEXT, success: { type: 'boolean', const: isSuccess } },
    required: ['code', 'data', 'msg', 'success'],
  }
}

/** Adds the schema of a rule's refusal: the data of the gateway's envelope, or the facilitator's body. */
function addRefusal(
  rule: Rule,
  service: OperationShape['service'],
  { components, refusals }: Failures,
): void {
  const name = `${toTypeName(rule.reason)}Refusal`
  const detail = rule.detail && components.convert(v.object(rule.detail), `${toTypeName(rule.reason)}Detail`)
  const reason = { type: 'string', const: rule.reason }
  const isGateway = service === 'gateway'
  const reference = components.add(name, {
    type: 'object',
    description: `${rule.code === undefined ? '' : `${rule.code}: `}${getErrorResponse(rule).message}`,
    properties: isGateway ? { reason, ...(detail && { detail }) } : { error: reason, message: TEXT },
    required: [isGateway ? 'reason' : 'error'],
  })
  refusals.set(name, reference)
}

function toSharedResponse(name: string, { responses }: Failures): Json {
  responses[name] = {
    description: SHARED_RESPONSES[name] ?? name,
    ...toContent(toReference(ERROR_RESPONSE)),
  }
  return { $ref: `#/components/responses/${name}` }
}

/** Returns the failures of an operation by their status. `default` is every other failure. */
export function toErrorResponses(operation: OperationShape, failures: Failures): Json {
  const statuses: Json = { 400: toSharedResponse('InvalidInput', failures) }
  for (const [status, errors] of Map.groupBy(operation.errors, (error) => getErrorResponse(error).status)) {
    const rules = errors.filter(isRule)
    const [kind] = errors.flatMap((error) => (isRule(error) ? [] : [error.kind]))
    for (const rule of rules) addRefusal(rule, operation.service, failures)
    const reasons = errors.map((error) => (isRule(error) ? error.reason : error.kind))
    statuses[status] =
      rules.length === 0 && kind !== undefined && kind in SHARED_RESPONSES
        ? toSharedResponse(kind, failures)
        : { description: reasons.join(', '), ...toContent(toReference(ERROR_RESPONSE)) }
  }
  return { ...statuses, default: toSharedResponse('Failure', failures) }
}

/** Returns the name at the end of a reference. */
const nameOf = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined

/** Converts the data of an operation, and names it: `Order`, `OrderList` or `OrderPage`. */
function toData(operation: OperationShape, components: Components): { name: string; data: Json } {
  const name = `${toTypeName(operation.id)}Result`
  if (operation.paged) {
    const { entries } = operation.data as unknown as { entries: { list: { item: v.GenericSchema } } }
    const item = components.convert(entries.list.item, toTypeName(operation.id).concat('Item'))
    const page = `${nameOf(item) ?? name}Page`
    return { name: page, data: components.convert(operation.data, page) }
  }
  const data = components.convert(operation.data, name)
  const item = data.type === 'array' ? nameOf(data.items as Json) : undefined
  return { name: nameOf(data) ?? (item === undefined ? name : `${item}List`), data }
}

/** Returns the response to a call that succeeds. */
export function toResponse(operation: OperationShape, components: Components): Json {
  if (operation.result === 'none') return { description: 'Done; no body' }
  if (operation.result === 'header') {
    return {
      description: 'Done; no body. The PAYMENT-RESPONSE header contains the settlement: JSON in base64.',
      headers: { 'PAYMENT-RESPONSE': { schema: TEXT } },
    }
  }
  const { name, data } = toData(operation, components)
  if (operation.result === 'event-stream') {
    return {
      description:
        'Server-sent events without an end. The data of each message has this schema. Its id is the place to resume at.',
      content: { 'text/event-stream': { schema: data } },
    }
  }
  if (operation.result === 'json') return { description: 'Done', ...toContent(data) }
  const envelope = toEnvelope(data, { code: { type: 'integer' }, isSuccess: true })
  return { description: 'Done', ...toContent(components.add(`${name}Envelope`, envelope)) }
}
