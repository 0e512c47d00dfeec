import { pageQuery } from '@mintmark/envelope'
import type { DeclaredError, OperationShape } from '@mintmark/operation'
import type { Operation } from './catalogue.ts'
import { blocks, code, fenced, moveLinks, table } from './markdown.ts'
import { linkTo } from './records.ts'
import {
  answerRows,
  describeSchema,
  type Field,
  fieldsOf,
  type NameOf,
  partsOf,
  required,
} from './schemas.ts'
import { type Rule, valueOfRule } from './sources.ts'

/** The page of a section. */
export interface OnPage {
  readonly page: string
  readonly nameOf: NameOf
  readonly rules: readonly Rule[]
  /** The package whose page in `docs/` has the examples. */
  readonly packageName: string
}

/** The headings of other pages that operations link to. */
const HEADINGS = {
  sources: 'Where an address comes from',
  paging: 'Pages',
  repeating: 'Repeating calls',
  types: 'Types',
  scopes: 'Keys and scopes',
  everyCall: 'Every call',
  codes: 'Codes of the gateway',
  reasons: 'Reasons of the facilitator',
} as const

/** A link to a heading of the reference's first page, or of its page of errors. */
function see(from: string, heading: keyof typeof HEADINGS, words: string): string {
  const to = ['everyCall', 'codes', 'reasons'].includes(heading) ? 'errors.md' : 'index.md'
  return `[${words}](${linkTo(from, to, HEADINGS[heading])})`
}

function keyOf({ service, scope }: OperationShape, page: string): string {
  // The facilitator has no scopes: its key may do what its account may.
  if (service === 'facilitator') return see(page, 'scopes', scope === undefined ? 'no key needed' : 'any key')
  return scope === undefined ? see(page, 'scopes', 'any key') : `scope ${code(scope)}`
}

function repeats({ effect, idempotent, service, method, result }: OperationShape, page: string): string {
  if (effect === 'read') return 'reads'
  if (idempotent) return `writes, ${see(page, 'repeating', 'safe to repeat')}`
  // The gateway keeps responses of POST calls by their key, the facilitator those of settle.
  const takesKey = (service === 'gateway' && method === 'POST') || result === 'header'
  return `writes, ${see(page, 'repeating', takesKey ? 'safe to repeat with an idempotency key' : 'not retried')}`
}

function sourceOf({ shape, specified }: Operation, page: string): string {
  const called = specified === undefined ? '' : ` “${specified}”`
  return `${see(page, 'sources', shape.source)}${called}`
}

const PLACES = ['params', 'query', 'body'] as const
const PLACE_NAMES = { params: 'path', query: 'query', body: 'body' } as const

/** The rows of the input: required fields first, in the order of the sources. */
function inputRows({ shape, docs }: Operation, nameOf: NameOf): readonly (readonly string[])[] {
  const fields = PLACES.flatMap((place) => {
    const entries = Object.entries(shape[place] ?? {}).filter(
      // The page query is described once, on the first page.
      ([name, schema]) =>
        !shape.paged || Object.entries(pageQuery).every(([each, its]) => each !== name || its !== schema),
    )
    return entries.map(([name, schema]) => ({
      place,
      isRequired: partsOf(schema).wrapped === undefined,
      rows: fieldsOf({ [name]: schema }, docs.fields, nameOf),
    }))
  })
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ].flatMap(({ place, rows }) => rows.map((field) => inputRow(field, PLACE_NAMES[place])))
}

function inputRow(field: Field, place: string): readonly string[] {
  return [code(field.name), place, field.type, field.required ? 'yes' : 'no', field.meaning]
}

function inputOf(operation: Operation, { page, nameOf }: OnPage): string {
  const rows = inputRows(operation, nameOf)
  const head = ['field', 'in', see(page, 'types', 'type'), 'required', 'meaning']
  const { shape } = operation
  const names = Object.keys(pageQuery).map(code).join(', ')
  const paged =
    shape.paged &&
    `${rows.length === 0 ? 'Optional' : 'Also optional'}: ${names}, the ${see(page, 'paging', 'page query')}.`
  const open = shape.openBody && 'Further fields of the body are accepted.'
  const nothing = rows.length === 0 && !shape.paged && 'No input.'
  return blocks(table(head, rows), [paged, open, nothing].filter((text) => text).join(' ')).trim()
}

/** Describes what the promise resolves to. */
function answerOf({ shape, docs }: Operation, { page, nameOf }: OnPage): string {
  const data = required(shape.data)
  if (shape.paged) {
    const { list } = partsOf(data).entries ?? {}
    const item = list && partsOf(required(list)).item
    const words = item ? describeSchema(item, nameOf) : 'objects'
    return `Returns a ${see(page, 'paging', 'page')} of ${words}.`
  }
  const words = describeSchema(data, nameOf)
  if (shape.result === 'header') {
    return `Returns the ${words} of the ${code('PAYMENT-RESPONSE')} header (base64 of JSON; the response has no body), or ${code('undefined')} from a facilitator that sends none.`
  }
  if (words !== 'object') return `Returns ${article(words)}.`
  const { entries } = partsOf(data)
  return blocks(
    'Returns an object:',
    table(['field', 'type', 'meaning'], answerRows(fieldsOf(entries ?? {}, docs.answer ?? {}, nameOf))),
  ).trim()
}

function article(words: string): string {
  return words.startsWith('list') ? `a ${words}` : words
}

function errorLine(error: DeclaredError, { page, rules }: OnPage): string {
  if ('kind' in error) return `- [${code(error.kind)}](${linkTo(page, 'errors.md', error.kind)})`
  const value = valueOfRule(error)
  const rule = rules.find((each) => each.value === value)
  const meaning = rule === undefined ? '' : `: ${rule.docstring.meaning}`
  return `- ${see(page, typeof value === 'number' ? 'codes' : 'reasons', code(rule?.name ?? error.reason))} (${value})${meaning}`
}

function errorsOf({ shape }: Operation, on: OnPage): string {
  const every = `those of ${see(on.page, 'everyCall', 'every call')}`
  if (shape.errors.length === 0) return `Errors: ${every}.`
  const lines = shape.errors.map((error) => errorLine(error, on))
  return blocks(`Errors, in addition to ${every}:`, lines.join('\n')).trim()
}

/** The text above an example, unless the docstring has all of its words. */
function proseOf({ example, docs }: Operation, packageName: string): string | undefined {
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
export function operationSection(operation: Operation, on: OnPage): string {
  const { shape, docs, example } = operation
  return blocks(
    `### ${code(shape.id)}`,
    docs.summary,
    [
      code(`${shape.method} ${shape.path}`),
      keyOf(shape, on.page),
      repeats(shape, on.page),
      `source ${sourceOf(operation, on.page)}`,
    ].join(' · '),
    inputOf(operation, on),
    answerOf(operation, on),
    errorsOf(operation, on),
    proseOf(operation, on.packageName),
    example && fenced(example.code),
  ).trim()
}
