import { spawnSync } from 'node:child_process'

/** Runs a command to its end and answers what it printed; throws with all of it when the command fails. */
export function run(command: string, parameters: readonly string[], cwd: string): string {
  const { status, signal, stdout, stderr, error } = spawnSync(command, parameters, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: command === 'npm' && process.platform === 'win32',
  })
  if (error !== undefined) throw error
  if (status !== 0) {
    throw new Error(
      `${command} ${parameters.join(' ')}\n${stdout}${stderr}\nended with ${signal ?? `status ${status}`}`,
    )
  }
  return stdout
}
