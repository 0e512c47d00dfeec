import { format } from 'node:util'

/** What a command of a command line printed, and its exit status. */
export interface CommandOutput {
  readonly status: number
  readonly out: string
  readonly error: string
}

let lastRun: Promise<unknown> = Promise.resolve()

/**
 * Runs a command line in this process with only the given environment, which is faster than starting a
 * process. Concurrent calls run one after another, because they replace the environment, the console and the
 * exit status of this process.
 */
export function captureCommand(
  environment: NodeJS.ProcessEnv,
  run: () => Promise<void>,
): Promise<CommandOutput> {
  const output = lastRun.then(() => runCaptured(environment, run))
  lastRun = Promise.allSettled([output])
  return output
}

async function runCaptured(environment: NodeJS.ProcessEnv, run: () => Promise<void>): Promise<CommandOutput> {
  const { env, exitCode } = process
  const { log, error } = console
  const lines: string[] = []
  const errorLines: string[] = []
  console.log = (...values) => void lines.push(`${format(...values)}\n`)
  console.error = (...values) => void errorLines.push(`${format(...values)}\n`)
  process.env = { PATH: env.PATH, ...environment }
  process.exitCode = undefined
  try {
    await run()
    return { status: Number(process.exitCode ?? 0), out: lines.join(''), error: errorLines.join('') }
  } finally {
    console.log = log
    console.error = error
    process.env = env
    process.exitCode = exitCode
  }
}
