import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * What a runtime's process finds in its environment: nothing of the test run's or of ours, such as NODE_OPTIONS or conditions, that a
 * product team's would not have.
 */
export const environmentOf = (own: Record<string, string>): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  ...own,
})

/** How long a runtime has, in milliseconds: a limit for one that hangs, nothing else. */
export const PATIENCE = 120_000

/** Runs a program to its end and answers what it printed; throws with what it complained of when it fails. */
export async function output(
  command: string,
  parameters: readonly string[],
  { cwd, env = {}, patience = PATIENCE }: { cwd: string; env?: Record<string, string>; patience?: number },
): Promise<string> {
  const child = spawn(command, parameters, {
    cwd,
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience,
    killSignal: 'SIGKILL',
  })
  const [printed, complaints, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ])
  if (status !== 0) throw new Error(`it ended with ${signal ?? `status ${status}`}: ${complaints.trim()}`)
  return printed
}
