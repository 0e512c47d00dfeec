import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@mintmark/server-kit'
import { repositoryRoot } from '../workspace.ts'

const execArgv = ['--conditions=@mintmark/source']

/** What is stopped at a section's end, the last that was started first. */
export class Stops {
  readonly #stops: (() => unknown)[] = []
  add(stop: () => unknown): void {
    this.#stops.push(stop)
  }
  async all(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop()
  }
}

/** PostgreSQL as an installation has it: what was committed has reached the disk. Its folder goes with it. */
export async function startDatabase(stops: Stops): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
  // Private as it is made, and then out of reach for the account that runs PostgreSQL for root.
  await chmod(dataDir, 0o755)
  const { url, stop } = await startEmbeddedPostgres({ dataDir, disposable: true })
  stops.add(stop)
  return url
}

/** A file beside this one as a process of its own, which ends with this one. */
export function startBeside(stops: Stops, file: string, args: readonly string[] = []): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv })
  stops.add(() => end(child))
  return child
}

/** The next message of a process. */
export function told<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('a process ended before it had told anything'))
    child.once('exit', gone)
    child.once('message', (message) => {
      child.off('exit', gone)
      // What it sends is said where it is started.
      resolve(message as Message)
    })
  })
}

/** The facilitator's own command, its log going to a file as it would in production; answers its port. */
export async function startFacilitatorCommand(
  stops: Stops,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-log-'))
  stops.add(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'facilitator.log')
  const log = openSync(file, 'w')
  const cli = join(repositoryRoot, 'packages', 'facilitator-server', 'src', 'cli.ts')
  const profile = process.env.BENCH_PROFILE
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []
  const child = spawn(process.execPath, [...execArgv, ...flags, cli, 'serve'], {
    env: { ...process.env, ...env, FACILITATOR_PORT: '0' },
    stdio: ['ignore', log, 'inherit'],
  })
  closeSync(log)
  stops.add(() => end(child))
  for (;;) {
    const ready = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes('"msg":"ready"'))
    if (ready) return Number(new URL(JSON.parse(ready).url).port)
    if (child.exitCode !== null)
      throw new Error(`the facilitator did not start: ${readFileSync(file, 'utf8')}`)
    await pause(20)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
