import { parseArgs } from 'node:util'
import {
  EmbeddedPostgresError,
  MigrationFailed,
  RoleUnusable,
  SchemaMismatch,
  SqlFunctionError,
} from '../postgres/index.ts'
import { ConfigurationError } from './environment.ts'

export interface Command {
  /** One line, for the help. */
  summary: string
  /** Options by name, each with what its value is; a trailing `?` on the value: may be left out. */
  options?: Record<string, string>
  /** Options without a value; one that is given has the value `'true'`. */
  flags?: readonly string[]
  /** Positional arguments by name, all required. */
  arguments?: readonly string[]
  run(given: { options: Record<string, string | undefined>; arguments: string[] }): Promise<void>
}

/** What a command could not do; the message is all that there is to say. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
}

/**
 * Runs the command that the arguments name; a name may be two words (`keys create`). What is wrong with the arguments or the
 * settings is told on standard error, with exit status 2; what fails is 1.
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
    const asked = argv.length === 0 || argv.includes('--help') || argv[0] === 'help'
    // Of `keys --help` those that begin so.
    const begun = Object.entries(commands).filter(([each]) => each.split(' ')[0] === argv[0])
    const text = help(program, begun.length > 0 ? begun : Object.entries(commands))
    if (asked) console.log(text)
    else
      console.error(
        `${program}: there is no command ${JSON.stringify(argv.slice(0, 2).join(' '))}\n\n${text}`,
      )
    process.exitCode = asked ? 0 : 2
    return
  }
  try {
    await command.run(parse(name, command, argv.slice(name.split(' ').length)))
  } catch (error) {
    const told = isForPeople(error)
    console.error(
      `${program} ${name}: ${told ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    )
    process.exitCode = error instanceof ConfigurationError ? 2 : 1
  }
}

/** Errors whose messages say what to do; a stack would only hide it. */
function isForPeople(error: unknown): error is Error {
  return [
    ConfigurationError,
    CommandFailed,
    SchemaMismatch,
    MigrationFailed,
    SqlFunctionError,
    RoleUnusable,
    EmbeddedPostgresError,
  ].some((kind) => error instanceof kind)
}

function parse(name: string, command: Command, args: readonly string[]) {
  const wanted = command.arguments ?? []
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
    if (positionals.length !== wanted.length)
      throw new Error(`expected ${wanted.map((a) => `<${a}>`).join(' ') || 'no arguments'}`)
    for (const [option, value] of Object.entries(command.options ?? {})) {
      if (!value.endsWith('?') && values[option] === undefined)
        throw new Error(`--${option} <${value}> is required`)
    }
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
  return `Usage:\n${lines.join('\n')}\n\nSettings come from the environment; the package's README lists them. ${program} --version tells the version.`
}
