import { join, relative, resolve } from 'node:path'
import { type Progress, startProgress } from '@mintmark/devkit'
import {
  ConfigurationError,
  type EnvironmentReader,
  integer,
  port,
  readEnvironment,
  readSettings,
} from '@mintmark/server-kit'
import { openFailureLog } from './failure-log.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'
import { ignoresHangup, watchStarters } from './starters.ts'

/** How the program is embedded in others. */
export interface RunOptions {
  /** Work that must also be complete before the sandbox counts as ready. */
  readonly other?: Promise<unknown>
  /** Returns what to do when it is ready, with the path of the credentials. */
  readonly next: (credentialsFile: string) => string
  /** The processes that have started this one, if they may have ended already. Default: those at the call. */
  readonly starters?: readonly number[]
}

/**
 * Starts the sandbox that the environment configures, with demo data. Stops it at SIGINT, SIGTERM or SIGHUP,
 * and when npm, which has started it, ends. The data stays. Ends the process with status 1 when the start
 * fails.
 */
export async function runSandbox({ other, next, starters }: RunOptions): Promise<void> {
  const progress = startProgress(process.stdout, 'Starting Mintmark')
  const dataDir = resolve(process.env.DATA_DIR || '.mintmark')
  const log = await openFailureLog(dataDir)
  const starting = startFromEnvironment(dataDir, progress)
  let isStopping = false
  const end = () => {
    if (isStopping) return
    isStopping = true
    // A terminal that was closed cannot be written to.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
    progress.end()
    console.log('\nStopping; the data stays.')
    void stop(starting, 0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  if (!ignoresHangup()) process.on('SIGHUP', end)
  watchStarters(end, starters)
  try {
    await Promise.all([starting, other])
    if (isStopping) return
    const credentialsFile = relative(process.cwd(), join(dataDir, 'credentials.json'))
    progress.line(`  credentials   ${credentialsFile}`)
    console.log(`\nReady after ${progress.end()} s. ${next(credentialsFile)}`)
  } catch (error) {
    // What starts while the sandbox stops may fail for that reason.
    if (isStopping) return
    isStopping = true
    progress.end()
    console.error(`\n${await log.explain(error)}`)
    await stop(starting, 1)
  }
}

/**
 * Reads the database of the sandbox from the environment. DATABASE_URL may be that of real servers, so it
 * needs a consent of its own: the sandbox writes demo rows, keys and accounts, whose wallets have public
 * private keys.
 *
 * @throws ConfigurationError without that consent.
 */
export function readSandboxDatabase(env: EnvironmentReader): string | undefined {
  const databaseUrl = env.text('DATABASE_URL')
  if (databaseUrl !== undefined && env.text('SANDBOX_DATABASE') !== 'demo') {
    throw new ConfigurationError(
      'DATABASE_URL is set, and the sandbox would write demo rows, keys and accounts with public development wallets to that database. Unset DATABASE_URL, or, if the database is for demos only, set SANDBOX_DATABASE=demo',
    )
  }
  return databaseUrl
}

const sandboxPort = (server: string, fallback: number) =>
  integer(`the port of the ${server}`, { default: fallback, min: 1, max: 65_535 })
const portSettings = {
  GATEWAY_PORT: port('gateway', { default: 4000, min: 1 }),
  FACILITATOR_PORT: sandboxPort('facilitator', 4001),
  CHAIN_PORT: sandboxPort('chain', 8545),
}

/** Reads the ports of the sandbox's servers from the environment. */
export function readSandboxPorts(env: EnvironmentReader) {
  const ports = readSettings(portSettings, env)
  return { gateway: ports.GATEWAY_PORT, facilitator: ports.FACILITATOR_PORT, chain: ports.CHAIN_PORT }
}

async function startFromEnvironment(dataDir: string, progress: Progress): Promise<Sandbox> {
  const env = readEnvironment()
  return await startSandbox({
    dataDir,
    demo: true,
    ports: readSandboxPorts(env),
    databaseUrl: readSandboxDatabase(env),
    secretKeys: env.text('SECRET_KEYS'),
    env: process.env,
    report: (line) => progress.line(`  ${line}`),
  })
}

/**
 * Stops the sandbox, which may still be starting, and ends the process. A start that failed has stopped its
 * parts.
 */
async function stop(starting: Promise<Sandbox>, status: number): Promise<never> {
  let outcome = status
  try {
    const started = await starting.catch(() => undefined)
    await started?.stop()
  } catch (error) {
    console.error(error)
    outcome = 1
  }
  process.exit(outcome)
}
