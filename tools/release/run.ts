import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

// npm is a script there, which only a shell can start.
const shell = (command: string) => process.platform === 'win32' && !command.endsWith('.exe')

/** How a command ended, and all that it printed. */
interface Ending {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

function failure(command: string, parameters: readonly string[], cwd: string, ending: Ending): Error {
  const { status, signal, stdout, stderr } = ending
  const line = [command, ...parameters].join(' ')
  return new Error(`${line}\n(in ${cwd}) ended with ${signal ?? `status ${status}`}:\n${stdout}${stderr}`)
}

/** Runs a command to its end and answers what it printed; throws with all of it when the command fails. */
export function run(command: string, parameters: readonly string[], cwd: string): string {
  const { error, ...ending } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    shell: shell(command),
  })
  if (error !== undefined) throw error
  if (ending.status !== 0) throw failure(command, parameters, cwd, ending)
  return ending.stdout
}

async function ended(
  command: string,
  parameters: readonly string[],
  options: SpawnOptions & { cwd: string },
): Promise<Ending> {
  const child = spawn(command, parameters, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: shell(command),
  })
  const [stdout, stderr, [status, signal]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close'),
  ])
  return { status, signal, stdout, stderr }
}

/** The same as `run` without holding up the process: for what takes long, or needs this process meanwhile. */
export async function runAside(
  command: string,
  parameters: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const ending = await ended(command, parameters, { cwd, env })
  if (ending.status !== 0) throw failure(command, parameters, cwd, ending)
  return ending.stdout
}

/** Runs a command that may fail; answers whether it did, and what it printed. */
export async function attempt(command: string, parameters: readonly string[], cwd: string) {
  const { status, stdout, stderr } = await ended(command, parameters, { cwd })
  return { failed: status !== 0, output: stdout + stderr }
}
