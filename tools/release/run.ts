import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

// npm is a script there, which only a shell can start.
const shell = (command: string) => process.platform === 'win32' && !command.endsWith('.exe')

function failure(
  command: string,
  parameters: readonly string[],
  cwd: string,
  told: { status: unknown; signal: unknown; output: string },
): Error {
  const ending = told.signal === null ? `status ${told.status}` : told.signal
  return new Error(`${[command, ...parameters].join(' ')}\n(in ${cwd}) ended with ${ending}:\n${told.output}`)
}

/** Runs a command to its end and answers what it printed; throws with all of it when the command fails. */
export function run(command: string, parameters: readonly string[], cwd: string): string {
  const { status, signal, stdout, stderr, error } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    shell: shell(command),
  })
  if (error !== undefined) throw error
  if (status !== 0) throw failure(command, parameters, cwd, { status, signal, output: stdout + stderr })
  return stdout
}

/** The same without holding up the process: for what takes long, or needs this process meanwhile. */
export async function runAside(
  command: string,
  parameters: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const child = spawn(command, parameters, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: shell(command),
  })
  const ended = once(child, 'close')
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ])
  if (status !== 0) throw failure(command, parameters, cwd, { status, signal, output: stdout + stderr })
  return stdout
}
