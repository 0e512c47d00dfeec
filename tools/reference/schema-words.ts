import * as envelope from '@mintmark/envelope'
import type * as v from 'valibot'
import { code } from './markdown.ts'
import { needed, partsOf } from './schema-parts.ts'

/** The words for the schemas that all packages share; the reference's first page explains them. */
const SHARED = new Map<v.GenericSchema, string>([
  [envelope.Timestamp, '`timestamp`'],
  [envelope.Integer, '`integer`'],
  [envelope.Positive, '`integer` from 1'],
  [envelope.Text, '`string`, not empty'],
  [envelope.Address, '`address`'],
  [envelope.Amount, '`amount`'],
  [envelope.Hash, '`hash`'],
  [envelope.Empty, 'an empty object'],
])

const PLAIN: Readonly<Record<string, string>> = {
  string: '`string`',
  number: '`number`',
  boolean: '`boolean`',
  object: 'object',
  loose_object: 'object',
  strict_object: 'object',
}

/** What an action of a pipe says of its limits: our messages begin with "Expected". */
function limitOf(action: v.GenericSchema): string | undefined {
  const { message } = partsOf(action)
  return typeof message === 'string' ? message.replace(/^Expected (?:an integer )?/, '') : undefined
}

/** What is written for a schema that has a name of its own: a link to a record, or to the operation that takes the same. */
export type NameOf = (schema: v.GenericSchema) => string | undefined

/** A schema's type and limits in words, as Markdown. */
export function wordsOf(schema: v.GenericSchema, nameOf: NameOf): string {
  const wanted = needed(schema)
  const known = nameOf(wanted) ?? SHARED.get(wanted)
  if (known !== undefined) return known
  const { type, item, value, options, pipe } = partsOf(wanted)
  const [base, ...actions] = pipe ?? []
  if (base !== undefined) {
    const limits = actions.map(limitOf).filter((limit) => limit !== undefined)
    const words = SHARED.get(base) ?? wordsOf(base, nameOf)
    // An integer is told by an action of its own; a limit says all that the schema before it did.
    const kind = actions.some((action) => partsOf(action).type === 'integer') ? '`integer`' : words
    const bare = limits.length > 0 ? kind.replace(/ from .*|, not empty$/, '') : kind
    return [bare, ...limits].join(', ').replaceAll(', from ', ' from ')
  }
  if (item !== undefined) return `list of ${wordsOf(item, nameOf)}`
  if (value !== undefined) return `object of ${wordsOf(value, nameOf)} by name`
  if (options !== undefined)
    return options
      .map((option) => code(typeof option === 'string' ? `'${option}'` : String(option)))
      .join(', ')
  const plain = PLAIN[type]
  if (plain === undefined) throw new Error(`The reference has no word for a schema of type ${type}`)
  return plain
}
