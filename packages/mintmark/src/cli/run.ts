import { readFileSync } from 'node:fs'
import { CommanderError } from 'commander'
import { type CommandEnvironment, write } from './environment.ts'
import {
  CommandStatusError,
  ExitCode,
  formatError,
  formatErrorAsJson,
  getExitCode,
  UsageError,
} from './errors.ts'
import { createProgram } from './program.ts'

function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  return manifest.version
}

/** commander has written its message already. Help that was asked for is a success. */
function getCommanderExitCode({ exitCode }: CommanderError): number {
  return exitCode === 0 ? ExitCode.Ok : ExitCode.Usage
}

/** Runs a command line, writes its result or its error, and returns the exit code. */
export async function runCommandLine(
  words: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  try {
    await createProgram(readVersion(), environment).parseAsync([...words], { from: 'user' })
    return ExitCode.Ok
  } catch (error) {
    if (error instanceof CommanderError) return getCommanderExitCode(error)
    if (environment.signal.aborted) return ExitCode.Interrupted
    const isSilent = error instanceof CommandStatusError && error.message === ''
    const isJson = words.includes('--json') || words.includes('--output=json')
    if (!isSilent) {
      await write(environment.errors, isJson ? `${formatErrorAsJson(error)}\n` : formatError(error))
    }
    if (error instanceof UsageError && !isJson) {
      const names = words.slice(0, 2).filter((word) => !word.startsWith('-'))
      await write(environment.errors, `See: ${['mintmark', ...names, '--help'].join(' ')}\n`)
    }
    return getExitCode(error)
  }
}
