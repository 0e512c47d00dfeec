import { readFileSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { findCommand } from './completion.ts'
import { type CommandEnvironment, write } from './environment.ts'
import {
  CommandStatusError,
  ExitCode,
  formatError,
  formatErrorAsJson,
  getExitCode,
  OutputClosedError,
  UsageError,
} from './errors.ts'
import { choosesJson, createProgram } from './program.ts'

function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}

/** commander has written its message already. Printing help is a success. */
function getCommanderExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? ExitCode.Ok : ExitCode.Usage
}

/** Whether a command runs until the person ends it. */
function isEndless([group, command]: readonly string[]): boolean {
  return (
    group === 'listen' ||
    group === 'mcp' ||
    (group === 'events' && (command === 'tail' || command === 'stream'))
  )
}

function getCommandName(command: Command): string {
  return command.parent === null ? command.name() : `${getCommandName(command.parent)} ${command.name()}`
}

/** Runs a command line, writes its result or its error, and returns the exit code. */
export async function runCommandLine(
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const program = createProgram(words, readVersion(), environment)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return ExitCode.Ok
  } catch (error) {
    if (error instanceof CommanderError) return getCommanderExitCode(error)
    if (error instanceof OutputClosedError) return ExitCode.Ok
    const { aborted, reason } = environment.signal
    // Ctrl-C is how commands without an end are ended.
    if (aborted && isEndless(words)) return ExitCode.Ok
    if (aborted && !(reason instanceof OutputClosedError)) return ExitCode.Interrupted
    const isSilent = error instanceof CommandStatusError && error.message === ''
    const isJson = choosesJson(words)
    if (!isSilent) {
      await write(environment.errors, isJson ? `${formatErrorAsJson(error)}\n` : formatError(error))
    }
    if (error instanceof UsageError && !isJson) {
      const command = findCommand(program, words)
      await write(environment.errors, `See: ${getCommandName(command)} --help\n`)
    }
    return getExitCode(error)
  }
}
