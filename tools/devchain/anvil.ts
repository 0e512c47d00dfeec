import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Why anvil did not start: `port-taken`, `state-unreadable` (the state file cannot be read) or `failed` (anything else). */
export type AnvilFailure = 'port-taken' | 'state-unreadable' | 'failed'

/** anvil could not be started; `reason` says why in a word, the message in a sentence, with what anvil printed. */
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

/** An anvil that runs and listens. */
export interface AnvilProcess {
  readonly port: number
  readonly pid: number
  /** Resolves when the process has ended, however it did. Never rejects. */
  readonly exited: Promise<ProcessEnd>
  /** Requests that anvil saves its state and exits, and waits for it. Kills it after ten seconds. */
  stop(): Promise<ProcessEnd>
}

/** Long enough for a state file of some hundred megabytes on a busy machine. */
const startBound = 60_000
const stopBound = 10_000

/**
 * Starts anvil on 127.0.0.1 and waits until it listens.
 *
 * It runs in a process group of its own, so that Ctrl-C in a terminal reaches the caller alone and the caller decides when
 * the chain ends. If the caller dies, even by SIGKILL, anvil is signalled to save its state and exit.
 *
 * @param port 0 takes any free port.
 * @param options further options of anvil's command line.
 * @param log receives what anvil prints as errors.
 * @throws AnvilError when it ends before it listens, or does not listen within a minute.
 */
export async function startAnvil(
  port: number,
  options: readonly string[],
  log: (message: string) => void,
): Promise<AnvilProcess> {
  // Not --quiet: the line with the port that was chosen is printed only without it.
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

/** The npm package's own command starts the binary as its child and leaves it behind when killed: start the binary. */
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
  throw new AnvilError('failed', `The npm package ${name} has no program bin/${file}`)
}

async function waitUntilListening(
  child: ChildProcess,
  exited: Promise<ProcessEnd>,
  port: number,
  log: (message: string) => void,
): Promise<number> {
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    // Enough to explain an end; a node that runs for days may complain for days.
    errors = (errors + text).slice(-4000)
    log(text.trimEnd())
  })

  let findPort: (text: string) => void = () => {}
  let bound: NodeJS.Timeout | undefined
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
        reject(new AnvilError('failed', `anvil cannot be run: ${cause.message}`, { cause })),
      )
      exited.then(({ code, signal }) => reject(explainEnd(port, errors, code ?? signal)))
      bound = setTimeout(() => {
        child.kill('SIGKILL')
        reject(new AnvilError('failed', `anvil did not listen within ${startBound / 1000} s`))
      }, startBound)
    })
  } finally {
    clearTimeout(bound)
    // From here on its output is read and dropped: a full pipe would bring it to a halt.
    child.stdout?.off('data', findPort).resume()
  }
}

function explainEnd(port: number, errors: string, end: number | string | null): AnvilError {
  if (/address already in use/i.test(errors)) {
    return new AnvilError(
      'port-taken',
      `Port ${port} of 127.0.0.1 is taken: the dev chain cannot listen there`,
    )
  }
  if (/'--state <PATH>'/.test(errors)) {
    return new AnvilError('state-unreadable', `The dev chain's state cannot be read. ${errors.trim()}`)
  }
  return new AnvilError('failed', `anvil ended (${end}) before it listened. ${errors.trim()}`)
}

async function end(child: ChildProcess, exited: Promise<ProcessEnd>): Promise<ProcessEnd> {
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), stopBound)
  try {
    return await exited
  } finally {
    clearTimeout(force)
  }
}

/**
 * Leaves a shell waiting on a pipe from this process. However this process ends, the pipe closes with it, and the shell
 * then ends anvil; when anvil ends first, the shell is dismissed.
 */
function endWithCaller(pid: number, exited: Promise<ProcessEnd>, log: (message: string) => void): void {
  if (process.platform === 'win32') return
  const watcher = spawn('/bin/sh', ['-c', 'read -r _; kill -TERM "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.once('error', (error) => log(`Nothing will end anvil if this process is killed: ${error.message}`))
  exited.then(() => watcher.kill('SIGKILL'))
}
