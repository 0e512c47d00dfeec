import { pageQuery } from '@mintmark/envelope'
import type { DeclaredError, OperationShape } from '@mintmark/transport/operation'
import type { Operation } from './catalogue.ts'
import { answeredRows, type Field, fieldsOf } from './fields.ts'
import { blocks, code, moveLinks, table } from './markdown.ts'
import { linkTo } from './record-places.ts'
import type { Rule } from './rules.ts'
import { needed, partsOf } from './schema-parts.ts'
import { type NameOf, wordsOf } from './schema-words.ts'

/** What a section needs to know of the page that it stands on. */
export interface OnPage {
  readonly page: string
  readonly nameOf: NameOf
  readonly rules: readonly Rule[]
  /** The package whose page of examples its texts come from. */
  readonly packageName: string
}

/** The headings of other pages that operations link to. */
export const HEADINGS = {
  sources: 'Where an address comes from',
  paging: 'Pages',
  repeating: 'Sending it again',
  types: 'Types',
  scopes: 'Keys and scopes',
  everyCall: 'Every call',
  codes: 'Codes of the gateway',
  reasons: 'Reasons of the facilitator',
} as const

/** A link to a heading of the reference's first page, or of its page of errors. */
function see(from: string, heading: keyof typeof HEADINGS, words: string): string {
  const to = ['everyCall', 'codes', 'reasons'].includes(heading) ? 'errors.md' : 'README.md'
  return `[${words}](${linkTo(from, to, HEADINGS[heading])})`
}

function keyOf({ door, scope }: OperationShape, page: string): string {
  // The facilitator has no scopes: its key may do what its account may.
  if (door === 'facilitator') return see(page, 'scopes', scope === undefined ? 'no key needed' : 'any key')
  return scope === undefined ? see(page, 'scopes', 'any key') : `scope ${code(scope)}`
}

function repeats({ effect, idempotent, door, method, result }: OperationShape, page: string): string {
  if (effect === 'read') return 'reads'
  if (idempotent) return `writes, ${see(page, 'repeating', 'safe to repeat')}`
  // The gateway keeps the answers of POST calls by their key, the facilitator those of settle.
  const takesKey = (door === 'gateway' && method === 'POST') || result === 'header'
  return `writes, ${see(page, 'repeating', takesKey ? 'safe to repeat with an idempotency key' : 'not repeated by itself')}`
}

/** Where the name, the method and the path come from. */
function sourceOf({ shape, specified }: Operation, page: string): string {
  const called = specified === undefined ? '' : ` “${specified}”`
  return `${see(page, 'sources', shape.source)}${called}`
}

const PLACES = ['params', 'query', 'body'] as const
const PLACE_NAMES = { params: 'path', query: 'query', body: 'body' } as const

/** The rows of the input: what is required first, in the order of the sources. Nested fields stay with what they stand in. */
function inputRows({ shape, told }: Operation, nameOf: NameOf): readonly (readonly string[])[] {
  const fields = PLACES.flatMap((place) => {
    const entries = Object.entries(shape[place] ?? {}).filter(
      // The fields that every page query has are told once, on the first page.
      ([name, schema]) =>
        !shape.paged || Object.entries(pageQuery).every(([each, its]) => each !== name || its !== schema),
    )
    return entries.map(([name, schema]) => ({
      place,
      required: partsOf(schema).wrapped === undefined,
      rows: fieldsOf({ [name]: schema }, told.fields, nameOf),
    }))
  })
  return [
    ...fields.filter(({ required }) => required),
    ...fields.filter(({ required }) => !required),
  ].flatMap(({ place, rows }) => rows.map((field) => inputRow(field, PLACE_NAMES[place])))
}

function inputRow({ name, type, required, meaning }: Field, place: string): readonly string[] {
  return [code(name), place, type, required ? 'yes' : 'no', meaning]
}

function inputOf(operation: Operation, { page, nameOf }: OnPage): string {
  const rows = inputRows(operation, nameOf)
  const head = ['pass', 'in', see(page, 'types', 'type'), 'required', 'meaning']
  const { shape } = operation
  const names = Object.keys(pageQuery).map(code).join(', ')
  const paged =
    shape.paged &&
    `${rows.length === 0 ? 'Pass' : 'And'}, if you like, ${names}: the ${see(page, 'paging', 'page query')}.`
  const open = shape.openBody && 'Further fields of the body pass through.'
  const nothing = rows.length === 0 && !shape.paged && 'Pass nothing.'
  return blocks(table(head, rows), [paged, open, nothing].filter((text) => text).join(' ')).trim()
}

/** What the promise resolves to. */
function answerOf({ shape, told }: Operation, { page, nameOf }: OnPage): string {
  const wanted = needed(shape.data)
  if (shape.paged) {
    const { list } = partsOf(wanted).entries ?? {}
    const item = list && partsOf(needed(list)).item
    const words = item ? wordsOf(item, nameOf) : 'objects'
    return `Answers a ${see(page, 'paging', 'page')} of ${words}.`
  }
  const words = wordsOf(wanted, nameOf)
  if (shape.result === 'header') {
    return `Answers no body: the ${code('PAYMENT-RESPONSE')} header holds the ${words} (base64 of JSON), which is what the call resolves to; ${code('undefined')} from a facilitator that sends none.`
  }
  if (words !== 'object') return `Answers ${article(words)}.`
  const { entries } = partsOf(wanted)
  return blocks(
    'Answers an object:',
    table(['field', 'type', 'meaning'], answeredRows(fieldsOf(entries ?? {}, told.answer ?? {}, nameOf))),
  ).trim()
}

/** "a list of …", "an empty object"; a record's link needs none. */
function article(words: string): string {
  return words.startsWith('list') ? `a ${words}` : words
}

function errorLine(error: DeclaredError, { page, rules }: OnPage): string {
  if (typeof error !== 'number' && typeof error !== 'string') {
    return `- [${code(error.kind)}](${linkTo(page, 'errors.md', error.kind)})`
  }
  const rule = rules.find(({ value }) => value === error)
  const told = rule === undefined ? '' : `: ${rule.told.meaning}`
  return `- ${see(page, typeof error === 'number' ? 'codes' : 'reasons', code(rule?.name ?? String(error)))} (${error})${told}`
}

function errorsOf({ shape }: Operation, on: OnPage): string {
  const every = `those of ${see(on.page, 'everyCall', 'every call')}`
  if (shape.errors.length === 0) return `Errors: ${every}.`
  const lines = shape.errors.map((error) => errorLine(error, on))
  return blocks(`Errors, besides ${every}:`, lines.join('\n')).trim()
}

/** The sentences above an example, unless the docstring has every word of them. */
function proseOf({ example, told }: Operation, packageName: string): string | undefined {
  if (example === undefined) return undefined
  const words = (text: string) => text.toLowerCase().match(/[\w.]*\w/g) ?? []
  const known = new Set(words(told.summary))
  if (words(example.prose).every((word) => known.has(word))) return undefined
  // The page that it comes from stands two folders up.
  return moveLinks(
    example.prose,
    (target) => `../../${target.startsWith('#') ? `${packageName}.md` : ''}${target}`,
  )
}

/** All that there is to know of one operation, what to pass and what comes back first. */
export function operationSection(operation: Operation, on: OnPage): string {
  const { shape, told, example } = operation
  return blocks(
    `### ${code(shape.id)}`,
    told.summary,
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
    example && `\`\`\`ts\n${example.code}\`\`\``,
  ).trim()
}
