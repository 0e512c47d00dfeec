import { Command } from 'commander'
import { addCompletionCommands, findCommand } from './completion.ts'
import { type Descriptions, readDescriptions } from './descriptions.ts'
import { type CommandEnvironment, getWidth } from './environment.ts'
import { formatError, formatErrorAsJson, UsageError } from './errors.ts'
import { addEventCommands, addTailCommand } from './events/event-commands.ts'
import { addLoginCommand } from './login.ts'
import { addMcpCommand } from './mcp.ts'
import { findGroupAlias } from './names.ts'
import { addOpenCommand } from './open.ts'
import { addOperationCommand } from './operation-command.ts'
import { type GroupCommand, listGroups } from './operations.ts'
import { addProfileCommands } from './profile-commands.ts'
import { findSimilarName } from './similar-names.ts'
import { addTryCommand } from './try/try-command.ts'

/** Lists the first commands of a group on one line, as its description. */
function describeGroup({ operations }: GroupCommand): string {
  const names: string[] = []
  let length = 0
  for (const { command } of operations) {
    length += command.length + 2
    if (length > 38) return `${names.join(', ')}, …`
    names.push(command)
  }
  return names.join(', ')
}

/** Whether a command line chooses JSON, also one that is too incorrect to be parsed. */
export function choosesJson(words: readonly string[]): boolean {
  return words.some(
    (word, index) =>
      word === '--json' || word === '--output=json' || (word === 'json' && words[index - 1] === '--output'),
  )
}

/** Adds the flag that an unknown one is a part of. commander suggests only flags with few other letters. */
function completeMessage(message: string, program: Command, words: readonly string[]): string {
  const unknown = /unknown option '(--[\w-]+)'\n$/.exec(message)?.[1]
  if (unknown === undefined) return message
  const flags = findCommand(program, words).options.flatMap(({ long }) => long ?? [])
  const similar = findSimilarName(unknown, flags)
  return similar === undefined ? message : `${message}(Did you mean ${similar}?)\n`
}

/** Sends what commander prints to the environment, and makes it throw instead of ending the process. */
function configure(command: Command, words: readonly string[], environment: CommandEnvironment): void {
  const { output, errors } = environment
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      getOutHelpWidth: () => Math.min(100, getWidth(output)),
      getErrHelpWidth: () => Math.min(100, getWidth(errors)),
      outputError: (text, writeText) => {
        const error = new UsageError(
          completeMessage(text, command, words)
            .replace(/^error: /, '')
            .trimEnd(),
        )
        writeText(choosesJson(words) ? `${formatErrorAsJson(error)}\n` : formatError(error))
      },
    })
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError(true)
}

function addGroup(
  program: Command,
  group: GroupCommand,
  words: readonly string[],
  descriptions: Descriptions,
  environment: CommandEnvironment,
): void {
  const command = program
    .command(group.command)
    .summary(describeGroup(group))
    .description(`Calls an operation of ${group.name}.`)
    .helpCommand(false)
  command.helpGroup(`${group.section}:`)
  const alias = findGroupAlias(group.name)
  if (alias !== undefined) command.alias(alias)
  // The flags of 200 operations take longer to create than most calls to prepare.
  if (!words.includes(group.command) && !words.includes(alias ?? group.command)) return
  for (const operation of group.operations) {
    addOperationCommand(command, group, operation, descriptions, environment)
  }
  if (group.name === 'events') addTailCommand(command, environment)
}

/**
 * Creates the program with a command for each operation.
 *
 * @param words The command line. The commands of groups that it does not name are left out.
 */
export function createProgram(
  words: readonly string[],
  version: string,
  environment: CommandEnvironment,
): Command {
  const program = new Command('mintmark')
  configure(program, words, environment)
  program
    .description("Calls Mintmark's gateway and facilitator.")
    .usage('<group> <command> [options]')
    .version(version)
    .enablePositionalOptions()
    .helpCommand(false)
  const descriptions = readDescriptions()
  for (const group of listGroups()) addGroup(program, group, words, descriptions, environment)
  program.commandsGroup('Tools:')
  addTryCommand(program, environment)
  addLoginCommand(program, environment)
  addProfileCommands(program, environment)
  addEventCommands(program, environment)
  addMcpCommand(program, environment)
  addOpenCommand(program, environment)
  addCompletionCommands(program, environment)
  return program
}
