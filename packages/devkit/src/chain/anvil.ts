import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * Why anvil did not start: `port-taken`, `state-unreadable` (the state file cannot be read) or `failed`
 * (anything else).
 */
export type AnvilFailure = 'port-taken' | 'state-unreadable' | 'failed'

/** anvil did not start. The message contains what anvil printed. */
export class AnvilError extends Error {
  override name = 'AnvilError'
  readonly reason: AnvilFailure

  constructor(reason: AnvilFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** How a process ended: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A running anvil process. */
export interface AnvilProcess {
  readonly port: number
  readonly pid: number
  /** Resolves when the process has ended for any reason. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Saves the state and ends the process, by SIGKILL after ten seconds. */
  stop(): Promise<ProcessEnd>
}

/** Enough to load a state file of several hundred megabytes on a busy machine. */
const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

/**
 * Starts anvil on 127.0.0.1 and waits until it listens.
 *
 * anvil runs in its own process group, so that Ctrl-C in a terminal reaches only the caller, which then ends
 * the chain. When the caller dies, even by SIGKILL, anvil receives SIGTERM, saves its state and ends.
 *
 * @param port 0 selects any free port.
 * @param options Further command-line options of anvil.
 * @param log Receives what anvil prints to stderr.
 * @throws AnvilError when anvil ends or a minute passes before it listens.
 */
export async function startAnvil(
  port: number,
  options: readonly string[],
  log: (message: string) => void,
): Promise<AnvilProcess> {
  // Without --quiet, anvil prints the port that it chose.
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', String(port), ...options], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })

  const { pid } = child
  if (pid !== undefined) endWithCaller(pid, exited, log)
  const listeningOn = await waitUntilListening(child, exited, port, log)
  if (pid === undefined) throw new AnvilError('failed', 'anvil listens but has no process id')

  let stopping: Promise<ProcessEnd> | undefined
  return {
    port: listeningOn,
    pid,
    exited,
    stop: () => {
      stopping ??= end(child, exited)
      return stopping
    },
  }
}

/** Finds the binary. The command of the npm package would leave its child running when killed. */
function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${architecture}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  // The platform packages are optional dependencies of @foundry-rs/anvil and may be nested below it.
  const wrapper = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'))
  try {
    const path = wrapper.resolve(`${name}/bin/${file}`)
    if (existsSync(path)) return path
  } catch (cause) {
    throw new AnvilError('failed', `The dev chain needs the npm package ${name}, which is not installed`, {
      cause,
    })
  }
  throw new AnvilError('failed', `The npm package ${name} has no file bin/${file}`)
}

async function waitUntilListening(
  child: ChildProcess,
  exited: Promise<ProcessEnd>,
  port: number,
  log: (message: string) => void,
): Promise<number> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // The end of the output explains why anvil ended; a long run may print much more.
    errors = (errors + text).slice(-4000)
    log(text.trimEnd())
  })

  let findPort: (text: string) => void = () => {}
  let startTimeout: NodeJS.Timeout | undefined
  try {
    return await new Promise<number>((resolve, reject) => {
      let printed = ''
      findPort = (text) => {
        printed += text
        const listening = /Listening on \S+:(\d+)\s/.exec(printed)
        if (listening) resolve(Number(listening[1]))
      }
      child.stdout?.setEncoding('utf8').on('data', findPort)
      child.once('error', (cause) =>
        reject(new AnvilError('failed', `anvil could not be started: ${cause.message}`, { cause })),
      )
      exited.then(({ code, signal }) => reject(explainEnd(port, errors, code ?? signal)))
      startTimeout = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new AnvilError('failed', `anvil did not listen within ${START_TIMEOUT_MS / 1000} s`))
      }, START_TIMEOUT_MS)
    })
  } finally {
    clearTimeout(startTimeout)
    // Keep reading the output: anvil blocks when the pipe is full.
    child.stdout?.off('data', findPort).resume()
  }
}

function explainEnd(port: number, errors: string, end: number | string | null): AnvilError {
  if (/address already in use/i.test(errors)) {
    return new AnvilError(
      'port-taken',
      `Port ${port} on 127.0.0.1 is in use. Choose another port for the dev chain`,
    )
  }
  if (/'--state <PATH>'/.test(errors)) {
    return new AnvilError('state-unreadable', `The dev chain's state cannot be read. ${errors.trim()}`)
  }
  return new AnvilError('failed', `anvil ended (${end}) before it listened. ${errors.trim()}`)
}

async function end(child: ChildProcess, exited: Promise<ProcessEnd>): Promise<ProcessEnd> {
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  try {
    return await exited
  } finally {
    clearTimeout(force)
  }
}

/**
 * Starts a shell that reads from a pipe of this process. When this process ends for any reason, the pipe
 * closes and the shell ends anvil.
 */
function endWithCaller(pid: number, exited: Promise<ProcessEnd>, log: (message: string) => void): void {
  if (process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -TERM "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.once('error', (error) => log(`anvil will keep running if this process is killed: ${error.message}`))
  exited.then(() => watcher.kill('SIGKILL'))
}
