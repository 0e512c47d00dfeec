import { relative, resolve } from 'node:path'
import { ConfigurationError, type EnvironmentReader, readEnvironment } from '@mintmark/server-kit'
import { startSandbox } from './sandbox.ts'

/** Returns the folder of the sandbox: DATA_DIR, or `.mintmark` in the current folder. */
export function getDataDir(): string {
  return resolve(process.env.DATA_DIR || '.mintmark')
}

/**
 * Starts the sandbox that the environment configures, and stops it at SIGINT or SIGTERM. The data stays. Ends the process with status 1 when
 * the start fails.
 *
 * @param other Work that must also be complete before the sandbox counts as ready.
 */
export async function runSandbox(other?: Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  const stops = new AsyncDisposableStack()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stops.disposed) return
      console.log('\nStopping; the data stays.')
      void stop(stops, 0)
    })
  }
  console.log('Starting Mintmark …')
  try {
    const [{ credentialsFile }] = await Promise.all([startFromEnvironment(stops), other])
    console.log(`  credentials   ${relative(process.cwd(), credentialsFile)}`)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`\nReady after ${seconds} s. In another terminal: npm run tour`)
  } catch (error) {
    // What starts while the sandbox stops fails for that reason.
    if (stops.disposed) return
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    await stop(stops, 1)
  }
}

/**
 * Reads the database of the sandbox from the environment. DATABASE_URL may be that of real servers, so it needs a consent of its own: the sandbox writes
 * demo rows, keys and accounts, whose wallets have public private keys.
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

function startFromEnvironment(stops: AsyncDisposableStack) {
  const env = readEnvironment()
  return startSandbox(
    {
      dataDir: getDataDir(),
      ports: {
        gateway: env.integer('GATEWAY_PORT', 4000, 1, 65_535),
        facilitator: env.integer('FACILITATOR_PORT', 4001, 1, 65_535),
        chain: env.integer('CHAIN_PORT', 8545, 1, 65_535),
      },
      databaseUrl: readSandboxDatabase(env),
      secretKeys: env.text('SECRET_KEYS'),
      env: process.env,
      report: (line) => console.log(`  ${line}`),
    },
    stops,
  )
}

/** Stops everything once, and ends the process. */
async function stop(stops: AsyncDisposableStack, status: number): Promise<never> {
  let outcome = status
  try {
    await stops.disposeAsync()
  } catch (error) {
    console.error(error)
    outcome = 1
  }
  process.exit(outcome)
}
