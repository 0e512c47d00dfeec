import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { CommandEnvironment } from '../environment.ts'

/** What a tool of the operating system wrote, and how it ended. */
export interface ToolResult {
  /** Null: a signal ended the tool. */
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

/**
 * Runs a tool of the operating system. Returns undefined if it is not installed.
 *
 * @param input What the tool reads. Secrets belong here, because other users can see the parameters of a
 * process.
 */
export async function runTool(
  command: string,
  parameters: readonly string[],
  input: string,
  { variables, signal }: CommandEnvironment,
): Promise<ToolResult | undefined> {
  const child = spawn(command, [...parameters], { env: variables, signal, windowsHide: true })
  // A tool that fails may end before it reads its input. Its exit code and its message are the error.
  child.stdin.on('error', () => child.stdin.destroy())
  child.stdin.end(input)
  try {
    const [output, errors, [exitCode]]: [string, string, (number | null)[]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { exitCode: exitCode ?? null, output, errors }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
