import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs a file with Node and this process's input and outputs until it ends. Returns its exit code. */
export async function runFile(
  file: string,
  parameters: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<number> {
  const child = spawn(process.execPath, [file, ...parameters], { stdio: 'inherit', env: variables })
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [exitCode]: (number | null)[] = await once(child, 'close')
    // A process that a signal ended has no exit code.
    return exitCode ?? 1
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
