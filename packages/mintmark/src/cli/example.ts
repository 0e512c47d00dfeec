import { type InputField, listInputFields } from './fields.ts'
import type { GroupCommand, OperationCommand } from './operations.ts'
import { createSample } from './sample-values.ts'

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function toWords(field: InputField): string[] {
  const value = createSample(field.schema, field.name, false)
  if (field.kind === 'list' && Array.isArray(value))
    return value.flatMap((each) => [field.flag, String(each)])
  return [field.flag, field.kind === 'json' ? JSON.stringify(value) : String(value)]
}

/** Finds the field whose value can be given without its flag: the only required one. */
export function findPositionalField(fields: readonly InputField[]): InputField | undefined {
  const [field, ...others] = fields.filter(({ required }) => required)
  if (field === undefined || others.length > 0) return undefined
  return field.kind === 'text' || field.kind === 'number' || field.kind === 'choice' ? field : undefined
}

/** Creates the words of a call with the required fields of an operation. */
export function createExampleWords(group: GroupCommand, { operation, command }: OperationCommand): string[] {
  const fields = listInputFields(operation)
  const positional = findPositionalField(fields)
  const alternative = operation.oneOf?.[0]
  const required = fields.filter(
    (field) => (field.required && field !== positional) || field.name === alternative,
  )
  const value = positional && createSample(positional.schema, positional.name, false)
  const given = value === undefined ? [] : [String(value)]
  return ['mintmark', group.command, command, ...given, ...required.flatMap(toWords)]
}

/** Joins each flag and its value, so that a line does not end between them. */
function joinFlags(words: readonly string[]): string[] {
  const joined: string[] = []
  let flag: string | undefined
  for (const word of words.map(quote)) {
    if (flag === undefined && word.startsWith('--')) {
      flag = word
      continue
    }
    joined.push(flag === undefined ? word : `${flag} ${word}`)
    flag = undefined
  }
  return flag === undefined ? joined : [...joined, flag]
}

/** Joins words to a command of at most `width` columns in a line. */
export function formatCommand(words: readonly string[], width: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of joinFlags(words)) {
    if (line !== '' && line.length + word.length + 3 > width) {
      lines.push(`${line} \\`)
      line = `  ${word}`
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].join('\n')
}
