import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repositoryRoot } from './workspace.ts'

const execute = promisify(execFile)

interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** Kills the command after this time. Default: no limit. */
  readonly timeoutMs?: number
  /** Ends the command. */
  readonly signal?: AbortSignal
}

/**
 * Runs a command and returns its standard output. Throws an error with everything it printed when it fails.
 */
export async function run(
  command: string,
  parameters: readonly string[],
  { cwd, env = process.env, timeoutMs = 0, signal: end }: RunOptions,
): Promise<string> {
  // On Windows npm and npx are scripts, which only a shell starts.
  const shell = process.platform === 'win32' && !command.endsWith('.exe')
  const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const
  try {
    const { stdout } = await execute(command, parameters, { cwd, env, shell, signal: end, ...limits })
    return stdout
  } catch (error) {
    // `promisify(execFile)` rejects with an error that has these fields.
    const { stdout, stderr, code, signal } = error as Record<'stdout' | 'stderr' | 'code' | 'signal', string>
    const how = signal ? `was ended by ${signal}` : `failed with status ${code}`
    throw new Error(`${command} ${parameters.join(' ')} (in ${cwd}) ${how}:\n${stdout}${stderr}`, {
      cause: error,
    })
  }
}

/** The path of a command that an installed package brings. */
export function binary(name: string): string {
  return join(repositoryRoot, 'node_modules/.bin', name)
}
