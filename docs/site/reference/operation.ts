import { Role } from '@mintmark/admin'
import { pageQuery } from '@mintmark/envelope'
import type { DeclaredError, OperationShape } from '@mintmark/operation'
import type * as v from 'valibot'
import { grantsScope } from '../../../packages/gateway-server/src/http/roles.ts'
import { listEmittedEvents } from '../../../packages/gateway-server/src/testing/emitted-events.ts'
import { anchorOf, type Rule, valueOfRule } from '../../../tools/build/error-docs.ts'
import type { Operation } from './catalog.ts'
import { blocks, code, moveLinks, table } from './markdown.ts'
import {
  answerTable,
  describeSchema,
  fieldsOf,
  isOptional,
  type NameOf,
  partsOf,
  required,
} from './schemas.ts'
import { exampleTabs } from './tabs.ts'

/** What the sections of a group's page share. */
export interface Context {
  readonly nameOf: NameOf
  readonly rules: readonly Rule[]
  /** The package whose page in `docs/` has the examples. */
  readonly packageName: string
}

const SOURCES = '../index.md#where-an-address-comes-from'
const PAGES = '../index.md#pages'
const REPEATING = '../index.md#repeating-calls'
const TYPES = '../index.md#types'
const EVENTS = '../../events.md#types'
const SCOPES = '../index.md#keys-and-scopes'
const EVERY_CALL = '../errors.md#every-call'

function describeKey({ service, scope }: OperationShape): string {
  if (scope === undefined && service === 'facilitator') return `[no key needed](${SCOPES})`
  // The facilitator has no scopes: its key may do what its account may.
  if (scope === undefined || service === 'facilitator') return `[any key](${SCOPES})`
  const roles = Object.values(Role).filter((role) => grantsScope(role, scope))
  return `scope ${code(scope)}${roles.length === 0 ? '' : ` (console: ${roles.join(', ')})`}`
}

/** Names the events that the operation can write at once. */
function describeEvents({ id }: OperationShape): string | undefined {
  const events = listEmittedEvents(id)
  return events.length === 0 ? undefined : `[Events](${EVENTS}): ${events.map(code).join(', ')}.`
}

function describeRepeats({ effect, idempotent, service, method, result }: OperationShape): string {
  if (effect === 'read') return 'reads'
  // The gateway keeps responses of POST calls by their key, the facilitator those of settle.
  const takesKey = (service === 'gateway' && method === 'POST') || result === 'header'
  const withoutKey = takesKey ? 'safe to repeat with an idempotency key' : 'not retried'
  return `writes, [${idempotent ? 'safe to repeat' : withoutKey}](${REPEATING})`
}

function describeSource({ shape, specified }: Operation): string {
  return `source [${shape.source}](${SOURCES})${specified === undefined ? '' : ` “${specified}”`}`
}

const PLACES = { params: 'path', query: 'query', body: 'body' } as const

/** The rows of the input: required fields first, in the order of the example, the others in that of the sources. */
function inputRows({ shape, docs }: Operation, nameOf: NameOf): readonly (readonly string[])[] {
  // The page query is described once, on the first page.
  const describedOnce: readonly v.GenericSchema[] = shape.paged ? Object.values(pageQuery) : []
  const order = Object.keys(docs.example ?? {})
  const rank = ({ name }: { name: string }) => (order.includes(name) ? order.indexOf(name) : order.length)
  const inputs = (['params', 'query', 'body'] as const)
    .flatMap((place) => Object.entries(shape[place] ?? {}).map(([name, schema]) => ({ place, name, schema })))
    .filter(({ schema }) => !describedOnce.includes(schema))
    .toSorted((a, b) => Number(isOptional(a.schema)) - Number(isOptional(b.schema)) || rank(a) - rank(b))
  return inputs.flatMap(({ place, name, schema }) =>
    fieldsOf({ [name]: schema }, docs.fields, nameOf).map((field) => [
      code(field.name),
      PLACES[place],
      field.type,
      field.required ? 'yes' : 'no',
      field.meaning,
    ]),
  )
}

function describeInput(operation: Operation, { nameOf }: Context): string {
  const { shape } = operation
  const rows = inputRows(operation, nameOf)
  const names = Object.keys(pageQuery).map(code).join(', ')
  const optional = rows.length === 0 ? 'Optional' : 'Also optional'
  const sentences = [
    shape.paged && `${optional}: ${names}, the [page query](${PAGES}).`,
    shape.oneOf && `Exactly one of ${shape.oneOf.map(code).join(' and ')} is required.`,
    shape.openBody && 'Further fields of the body are accepted.',
    rows.length === 0 && !shape.paged && 'No input.',
  ].filter((text) => text)
  const head = ['field', 'in', `[type](${TYPES})`, 'required', 'meaning']
  return blocks(table(head, rows), sentences.join(' ')).trim()
}

/** Describes what the promise resolves to. */
function describeAnswer({ shape, docs }: Operation, { nameOf }: Context): string {
  const data = required(shape.data)
  const { entries = {} } = partsOf(data)
  if (shape.paged) {
    const item = entries.list && partsOf(required(entries.list)).item
    return `Returns a [page](${PAGES}) of ${item ? describeSchema(item, nameOf) : 'objects'}.`
  }
  const words = describeSchema(data, nameOf)
  if (shape.result === 'event-stream') {
    return 'Returns an asynchronous iterator over the data of the messages, which come in a stream of server-sent events without an end.'
  }
  if (shape.result === 'header') {
    return `Returns the ${words} of the ${code('PAYMENT-RESPONSE')} header (base64 of JSON; the response has no body), or ${code('undefined')} from a facilitator that sends none.`
  }
  if (words !== 'object') return `Returns ${words.startsWith('list') ? 'a ' : ''}${words}.`
  return blocks('Returns an object:', answerTable(fieldsOf(entries, docs.answer ?? {}, nameOf))).trim()
}

function describeError(error: DeclaredError, rules: readonly Rule[]): string {
  if ('kind' in error) return `- [${code(error.kind)}](../errors.md#${anchorOf(error.kind)})`
  const value = valueOfRule(error)
  const rule = rules.find((each) => each.value === value)
  const meaning = rule === undefined ? '' : `: ${rule.docstring.meaning}`
  const target = `../errors.md#${anchorOf(error.reason)}`
  return `- [${code(rule?.name ?? error.reason)}](${target}) (${value})${meaning}`
}

function describeErrors({ shape }: Operation, { rules }: Context): string {
  const every = `those of [every call](${EVERY_CALL})`
  if (shape.errors.length === 0) return `Errors: ${every}.`
  const lines = shape.errors.map((error) => describeError(error, rules))
  return `Errors, in addition to ${every}:\n\n${lines.join('\n')}`
}

/** The text above an example, unless the docstring has all of its words. */
function findProse({ example, docs }: Operation, packageName: string): string | undefined {
  if (example === undefined) return undefined
  const words = (text: string) => text.toLowerCase().match(/[\w.]*\w/g) ?? []
  const known = new Set(words(docs.summary))
  if (words(example.prose).every((word) => known.has(word))) return undefined
  // The page with the example is two folders up.
  return moveLinks(
    example.prose,
    (target) => `../../${target.startsWith('#') ? `${packageName}.md` : ''}${target}`,
  )
}

/** The section of one operation: input, answer, errors and an example. */
export function operationSection(operation: Operation, context: Context): string {
  const { shape, docs, example } = operation
  const address = code(`${shape.method} ${shape.path}`)
  return blocks(
    `### ${code(shape.id)}`,
    docs.summary,
    [address, describeKey(shape), describeRepeats(shape), describeSource(operation)].join(' · '),
    describeInput(operation, context),
    describeAnswer(operation, context),
    describeEvents(shape),
    describeErrors(operation, context),
    findProse(operation, context.packageName),
    example && exampleTabs(operation, example.code),
  ).trim()
}
