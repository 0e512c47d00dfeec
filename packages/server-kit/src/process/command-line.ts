import { parseArgs } from 'node:util'
import { ConfigurationError } from '../environment.ts'
import {
  MigrationFailedError,
  runAs,
  SchemaMismatchError,
  SqlFunctionError,
  UnusableRoleError,
} from '../postgres/index.ts'

export interface Command {
  /** One line, for the help. */
  summary: string
  /** Options by name, each with the name of its value. A trailing `?` makes the option optional. */
  options?: Record<string, string>
  /** Options without a value. A present one has the value `'true'`. */
  flags?: readonly string[]
  /** Positional arguments by name, all required. */
  arguments?: readonly string[]
  run(given: { options: Record<string, string | undefined>; arguments: string[] }): Promise<void>
}

/** A command failed for a reason that its message explains, so that no stack is printed. */
export class CommandFailedError extends Error {
  override name = 'CommandFailedError'
}

/**
 * Runs the command that the arguments name. A name may have two words (`keys create`). Its changes have the
 * actor `command:<name>`, with the value of the option `--actor` in parentheses. Errors are printed on
 * standard error. The exit status is 2 for invalid arguments or settings and 1 for other failures.
 */
export async function runCommandLine(
  { program, version }: { program: string; version: string },
  commands: Record<string, Command>,
  argv: readonly string[] = process.argv.slice(2),
): Promise<void> {
  if (argv[0] === '--version') return console.log(version)
  const name = [2, 1]
    .map((words) => argv.slice(0, words).join(' '))
    .find((text) => Object.hasOwn(commands, text))
  const command = name === undefined ? undefined : commands[name]
  if (name === undefined || command === undefined || argv.includes('--help')) {
    const isHelp = argv.length === 0 || argv.includes('--help') || argv[0] === 'help'
    // For `keys --help`, the commands that begin with `keys`.
    const group = Object.entries(commands).filter(([each]) => each.split(' ')[0] === argv[0])
    const text = help(program, group.length > 0 ? group : Object.entries(commands))
    if (isHelp) console.log(text)
    else console.error(`${program}: unknown command ${JSON.stringify(argv.slice(0, 2).join(' '))}\n\n${text}`)
    process.exitCode = isHelp ? 0 : 2
    return
  }
  try {
    const given = parse(name, command, argv.slice(name.split(' ').length))
    const { actor } = given.options
    await runAs(`command:${name}${actor === undefined ? '' : ` (${actor})`}`, () => command.run(given))
  } catch (error) {
    console.error(`${program} ${name}: ${describeError(error)}`)
    process.exitCode = error instanceof ConfigurationError ? 2 : 1
  }
}

function describeError(error: unknown): string {
  if (hasInstructions(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Whether an error's message says what to do, so that a stack would distract from it. */
function hasInstructions(error: unknown): error is Error {
  return [
    ConfigurationError,
    CommandFailedError,
    SchemaMismatchError,
    MigrationFailedError,
    SqlFunctionError,
    UnusableRoleError,
  ].some((kind) => error instanceof kind)
}

function parse(name: string, command: Command, args: readonly string[]): Parameters<Command['run']>[0] {
  const required = command.arguments ?? []
  const options = Object.keys(command.options ?? {})
  const flags = command.flags ?? []
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
        ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
      },
    })
    if (positionals.length !== required.length)
      throw new Error(`expected ${required.map((a) => `<${a}>`).join(' ') || 'no arguments'}`)
    const missing = Object.entries(command.options ?? {})
      .filter(([option, value]) => !value.endsWith('?') && values[option] === undefined)
      .map(([option, value]) => `--${option} <${value}>`)
    if (missing.length > 0)
      throw new Error(`${missing.join(' ')} ${missing.length === 1 ? 'is' : 'are'} required`)
    const given = Object.entries(values).map(([name, value]) => [name, String(value)] as const)
    return { options: Object.fromEntries(given), arguments: positionals }
  } catch (error) {
    throw new ConfigurationError(
      `${error instanceof Error ? error.message : String(error)} (see --help for ${name})`,
    )
  }
}

function help(program: string, commands: readonly (readonly [name: string, Command])[]): string {
  const lines = commands.map(([name, command]) => {
    const words = [
      name,
      ...(command.arguments ?? []).map((argument) => `<${argument}>`),
      ...Object.entries(command.options ?? {}).map(([option, value]) =>
        value.endsWith('?') ? `[--${option} <${value.slice(0, -1)}>]` : `--${option} <${value}>`,
      ),
      ...(command.flags ?? []).map((flag) => `[--${flag}]`),
    ]
    return `  ${program} ${words.join(' ')}\n      ${command.summary}`
  })
  return `Usage:\n${lines.join('\n')}\n\nSettings come from the environment; the command settings lists them. ${program} --version prints the version.`
}
