import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inputIssues, type OperationShape } from '@mintmark/operation'
import { decodeText } from './decode-text.ts'
import type { CommandEnvironment } from './environment.ts'
import { UsageError } from './errors.ts'
import { checkTimeZones, type InputField, parseFieldText } from './fields.ts'
import { createFileError } from './file-errors.ts'
import { toKebabCase } from './names.ts'

/** The input of an operation, by its fields. */
export type Input = Record<string, unknown>

/**
 * What the command line has for an operation's input: its flags by the names of fields, and the file of
 * `--input`.
 */
export interface InputSources {
  /** A text, or several of a flag that can be repeated. A flag without a value is `true`. */
  readonly flags: Readonly<Record<string, string | readonly string[] | true | undefined>>
  /** A path, or `-` for standard input. */
  readonly file: string | undefined
}

function isObject(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads the file of `--input`. */
async function readInputFile(file: string, environment: CommandEnvironment): Promise<Input> {
  let content: Buffer
  try {
    content =
      file === '-'
        ? await buffer(environment.input)
        : await readFile(resolve(environment.currentFolder, file))
  } catch (error) {
    throw new UsageError(`--input: ${createFileError(error, file).message}`)
  }
  const text = decodeText(content, `--input: ${file}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`--input: Expected JSON. ${reason}`)
  }
  if (!isObject(value)) throw new UsageError('--input: Expected a JSON object with the fields of the input')
  return value
}

function parseFlag(field: InputField, value: string | readonly string[] | true): unknown {
  if (value === true) return true
  if (typeof value === 'string') return parseFieldText(field, value)
  return [...value]
}

/** Reads an operation's input. A flag replaces the field of the file. */
export async function readInput(
  fields: readonly InputField[],
  sources: InputSources,
  environment: CommandEnvironment,
): Promise<Input> {
  const input: Input = sources.file === undefined ? {} : await readInputFile(sources.file, environment)
  for (const field of fields) {
    const value = sources.flags[field.name]
    if (value !== undefined) input[field.name] = parseFlag(field, value)
    checkTimeZones(field.schema, input[field.name], field.flag)
  }
  return input
}

/** Lists the required fields that an input lacks. */
export function listMissingFields(fields: readonly InputField[], input: Input): InputField[] {
  return fields.filter(({ name, required }) => required && input[name] === undefined)
}

/** Converts the path of an issue, such as `cards.0.nftAddress`, to the flag and the rest of the path. */
function describePath(path: string): string {
  const [name = '', ...rest] = path.split('.')
  const flag = `--${toKebabCase(name)}`
  return rest.length === 0 ? flag : `${flag} (${rest.join('.')})`
}

/**
 * Throws a UsageError that names the invalid fields by their flags.
 *
 * @param isChecked Whether a field is checked here. Default: all.
 */
export function checkCommandInput(
  operation: OperationShape,
  input: Input,
  isChecked: (field: string) => boolean = () => true,
): void {
  const issues = inputIssues(operation, input).filter(({ path }) => isChecked(path.split('.')[0] ?? ''))
  if (issues.length === 0) return
  const missing = issues.filter(({ message, path }) => message === 'Required' && !path.includes('.'))
  const lines = issues
    .filter((issue) => !missing.includes(issue))
    .map(({ path, message }) => `${path === '' ? 'Input' : describePath(path)}: ${message}`)
  const names = missing.map(({ path }) => describePath(path)).join(', ')
  const sentence = missing.length === 0 ? [] : [`Missing: ${names}`]
  throw new UsageError([...sentence, ...lines].join('\n'))
}
