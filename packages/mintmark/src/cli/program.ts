import { Command } from 'commander'
import { type Descriptions, readDescriptions } from './descriptions.ts'
import { type CommandEnvironment, getWidth } from './environment.ts'
import { findGroupAlias } from './names.ts'
import { addOperationCommand } from './operation-command.ts'
import { type GroupCommand, listGroups } from './operations.ts'

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

/** Sends what commander prints to the environment, and makes it throw instead of ending the process. */
function configure(command: Command, environment: CommandEnvironment): void {
  const { output, errors } = environment
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      getOutHelpWidth: () => Math.min(100, getWidth(output)),
      getErrHelpWidth: () => Math.min(100, getWidth(errors)),
      outputError: (text, writeText) => writeText(text.replace(/^error: /, 'Error: ')),
    })
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError(true)
}

function addGroup(
  program: Command,
  group: GroupCommand,
  descriptions: Descriptions,
  environment: CommandEnvironment,
): void {
  const command = program.command(group.command).description(describeGroup(group))
  command.helpGroup(`${group.section}:`)
  const alias = findGroupAlias(group.name)
  if (alias !== undefined) command.alias(alias)
  for (const operation of group.operations) {
    addOperationCommand(command, group, operation, descriptions, environment)
  }
}

/** Creates the program with a command for each operation. */
export function createProgram(version: string, environment: CommandEnvironment): Command {
  const program = new Command('mintmark')
  configure(program, environment)
  program
    .description("Calls Mintmark's gateway and facilitator.")
    .usage('<group> <command> [options]')
    .version(version)
    .enablePositionalOptions()
  const descriptions = readDescriptions()
  for (const group of listGroups()) addGroup(program, group, descriptions, environment)
  return program
}
