import { keepsIdempotencyKey, type OperationShape } from '@mintmark/operation'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import type { CallCommandOptions } from './call-operation.ts'
import type { Descriptions } from './descriptions.ts'
import { toPlainText } from './descriptions.ts'
import type { CommandEnvironment } from './environment.ts'
import { UsageError } from './errors.ts'
import { createExampleWords, findPositionalField, formatCommand } from './example.ts'
import { type InputField, listInputFields, parseFieldText } from './fields.ts'
import type { ImportOptions } from './import/import-command.ts'
import { findBatchField, isImportable } from './import/importable.ts'
import { checkCommandInput, type Input, type InputSources, listMissingFields, readInput } from './input.ts'
import { findOperationAlias } from './names.ts'
import type { GroupCommand, OperationCommand } from './operations.ts'
import { listNumberNames } from './output/named-numbers.ts'
import { OUTPUT_FORMATS } from './output/writer.ts'

const INPUT_HEADING = 'Input:'

/** The options of every command that calls a server, as commander returns them. */
interface ParsedOptions extends CallCommandOptions, ImportOptions {
  readonly input?: string | undefined
  readonly csv?: string | undefined
  readonly [name: string]: unknown
}

function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value]
}

function describeField(field: InputField, description: string): string {
  const notes = [
    field.required ? 'required' : undefined,
    ...field.limits,
    field.kind === 'list' ? 'can be repeated' : undefined,
  ].filter((note) => note !== undefined)
  const text = toPlainText(description)
  const suffix = notes.length === 0 ? '' : `(${notes.join('; ')})`
  return [text, suffix].filter((part) => part !== '').join(' ')
}

/** The attribute under which commander stores the value of a field. */
function toAttribute(field: InputField): string {
  return `field:${field.name}`
}

/**
 * An option whose value is stored under the name of its field, which may differ from commander's own
 * conversion.
 */
class FieldOption extends Option {
  readonly #attribute: string
  constructor(field: InputField, description: string) {
    super(`${field.flag} ${field.placeholder}`, description)
    this.#attribute = toAttribute(field)
    this.helpGroup(INPUT_HEADING)
    // For the help and completion. A choice may be spelled in another case.
    if (field.kind === 'choice') this.choices(field.choices.map(String))
    else if (field.kind === 'number' && listNumberNames(field.name).length > 0)
      this.choices(listNumberNames(field.name))
    if (field.kind === 'list') this.argParser<readonly string[]>(collect)
    else if (field.kind !== 'boolean') this.argParser((text) => checkFieldText(field, text))
  }
  override attributeName(): string {
    return this.#attribute
  }
}

/** Refuses a malformed value while the command line is parsed, so that commander names the flag. */
function checkFieldText(field: InputField, text: string): string {
  try {
    parseFieldText(field, text)
    return text
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message.replace(/^--[\w-]+: /, ''))
    throw error
  }
}

/** Timers cannot wait for longer. */
const MAX_TIMEOUT_S = 2_147_483

function parseMilliseconds(text: string): number {
  const seconds = Number(text)
  if (seconds >= 0.001 && seconds <= MAX_TIMEOUT_S) return Math.round(seconds * 1000)
  throw new InvalidArgumentError(`Expected seconds, from 0.001 to ${MAX_TIMEOUT_S}`)
}

/** Adds the options that all commands with a server have. */
export function addCallOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'credentials to use; see `mintmark login`')
    .option('--timeout <seconds>', 'for each attempt; default 30', parseMilliseconds)
}

/** Adds the options of the output. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('--json', 'JSON, one line for each record; the default without a terminal')
    .addOption(new Option('--output <format>', 'format of the result').choices(OUTPUT_FORMATS))
}

function addOperationOptions(command: Command, operation: OperationShape): void {
  command.option('--input <file>', 'JSON file with fields of the input; - for standard input')
  addOutputOptions(command)
  if (operation.result !== 'event-stream') {
    command.option('--fields <names>', 'fields of the result to print, separated by commas: id,name')
  }
  if (operation.paged) command.option('--all', 'all pages')
  if (keepsIdempotencyKey(operation)) {
    command.option('--idempotency-key <key>', 'makes a repeated call safe; auto for a random key')
  }
  command.option(
    '--dry-run',
    'print the request and ask the server whether it would accept it; nothing is executed',
  )
  addCallOptions(command)
  if (isImportable(operation)) addImportOptions(command, operation)
}

function parseCount(max: number): (text: string) => number {
  return (text) => {
    const count = Number(text)
    if (Number.isInteger(count) && count >= 1 && count <= max) return count
    throw new InvalidArgumentError(`Expected an integer from 1 to ${max}`)
  }
}

function addImportOptions(command: Command, operation: OperationShape): void {
  const heading = 'Import of a CSV file:'
  const options = [
    new Option('--csv <file>', 'one row for each record; the first line names the fields'),
    new Option('--concurrency <count>', 'calls at the same time; default 4').argParser(parseCount(32)),
    new Option('--unknown <action>', 'rows that were sent long ago without a response').choices([
      'resend',
      'skip',
    ]),
  ]
  if (findBatchField(operation) !== undefined) {
    options.push(
      new Option('--batch-size <count>', 'rows for each call; default 100').argParser(parseCount(500)),
    )
  }
  for (const option of options) command.addOption(option.helpGroup(heading))
}

function describeRequest({ method, path, scope, service }: OperationShape): string {
  const key = scope === undefined ? '' : `, scope ${scope}`
  return `Sends ${method} ${path} to the ${service}${key}.`
}

/** Collects the flags of fields, and the value that was given without a flag. */
function toSources(
  fields: readonly InputField[],
  positional: InputField | undefined,
  value: string | undefined,
  options: ParsedOptions,
): InputSources {
  const flags: Record<string, string | readonly string[] | true | undefined> = {}
  for (const field of fields) {
    // The options of fields hold what commander parsed: a text, a list of texts, or true.
    flags[field.name] = options[toAttribute(field)] as string | readonly string[] | true | undefined
  }
  if (positional !== undefined && value !== undefined) {
    if (flags[positional.name] !== undefined) {
      throw new UsageError(`${positional.flag} is given twice: with its flag and without`)
    }
    flags[positional.name] = value
  }
  return { flags, file: options.input }
}

/** Prompts for missing fields on a terminal. */
async function completeInput(
  fields: readonly InputField[],
  input: Input,
  descriptions: Readonly<Record<string, string>>,
  environment: CommandEnvironment,
): Promise<void> {
  const missing = listMissingFields(fields, input)
  if (missing.length === 0) return
  const { isInteractive, promptFields } = await import('./prompts.ts')
  if (isInteractive(environment)) await promptFields(missing, descriptions, input, environment)
}

/** Adds the command of an operation to the command of its group. */
export function addOperationCommand(
  parent: Command,
  group: GroupCommand,
  operationCommand: OperationCommand,
  descriptions: Descriptions,
  environment: CommandEnvironment,
): void {
  const { operation, name } = operationCommand
  const { summary = '', fields: docs = {} } = descriptions.operations[operation.id] ?? {}
  const fields = listInputFields(operation)
  const positional = findPositionalField(fields)
  const batch = findBatchField(operation)
  const command = parent.command(operationCommand.command)
  const alias = findOperationAlias(name)
  if (alias !== undefined) command.alias(alias)
  const text = toPlainText(summary)
  command.summary(text.split(/(?<=[.:])\s/)[0]?.replace(/[.:]$/, '') ?? '')
  command.description([text, describeRequest(operation)].filter((part) => part !== '').join('\n\n'))
  if (positional !== undefined) {
    command.addArgument(new Argument(`[${positional.name}]`, `same as ${positional.flag}`))
  }
  if (batch !== undefined) command.addArgument(new Argument('[file]', 'CSV file, same as --csv'))
  for (const field of fields) {
    command.addOption(new FieldOption(field, describeField(field, docs[field.name] ?? '')))
  }
  addOperationOptions(command, operation)
  const example = formatCommand(createExampleWords(group, operationCommand), 76).replace(/^/gm, '  ')
  command.addHelpText('after', `\nExample:\n${example}`)
  command.action(async () => {
    const options = command.opts<ParsedOptions>()
    const [first] = command.args
    const value = positional === undefined ? undefined : first
    if (batch !== undefined && options.csv !== undefined && first !== undefined) {
      throw new UsageError('--csv is given twice: with its flag and without')
    }
    const file = options.csv ?? (batch === undefined ? undefined : first)
    const input = await readInput(fields, toSources(fields, positional, value, options), environment)
    if (file !== undefined) {
      const { importFile } = await import('./import/import-command.ts')
      return await importFile(operation, file, input, options, environment)
    }
    await completeInput(fields, input, docs, environment)
    checkCommandInput(operation, input)
    if (operation.result === 'event-stream') {
      const { writeStream } = await import('./events/tail.ts')
      return await writeStream(operation, input, options, environment)
    }
    // The HTTP client takes a third of the time to start, and help does not need it.
    const { callOperation } = await import('./call-operation.ts')
    await callOperation(operation, input, options, environment)
  })
}
