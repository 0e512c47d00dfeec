// Starts everything the demo needs: dev chain, PostgreSQL, gateway, facilitator. Ctrl-C ends it; the data stays in DATA_DIR.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { devAccounts } from '@mintmark/devkit/chain/accounts'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { readDevelopmentKeys, readEnvironment, startEmbeddedPostgres } from '@mintmark/server-kit'
import { repositoryRoot } from '../workspace.ts'
import { dataDir, writeCredentials } from './credentials.ts'
import { people, prepareDemo } from './demo.ts'
import { fundPayer } from './fund-payer.ts'
import { startServer } from './servers.ts'

const stops: { name: string; stop(): Promise<void> }[] = []
let stopping: Promise<void> | undefined
function stopAll(): Promise<void> {
  stopping ??= (async () => {
    for (const { name, stop } of stops.splice(0).reverse()) {
      await stop().catch((error: unknown) =>
        console.error(`${name}: ${error instanceof Error ? error.message : error}`),
      )
    }
  })()
  return stopping
}

async function end(status: number): Promise<never> {
  await stopAll()
  process.exit(status)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!stopping) console.log('\nStopping; the data stays.')
    void end(0)
  })
}

/** The servers run as they are published; the rest of the start needs no build and continues meanwhile. */
function build(): Promise<void> {
  const args = ['--conditions=@mintmark/source', join(repositoryRoot, 'tools', 'build', 'main.ts')]
  const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error('The build failed; its messages stand above.'))
    })
  })
}

const begun = performance.now()
const step = (text: string) => console.log(`  ${text}`)

async function start(): Promise<void> {
  const env = readEnvironment()
  const ports = {
    gateway: env.integer('GATEWAY_PORT', 4000, 1, 65_535),
    facilitator: env.integer('FACILITATOR_PORT', 4001, 1, 65_535),
    chain: env.integer('CHAIN_PORT', 8545, 1, 65_535),
  }
  const folder = dataDir()
  await mkdir(folder, { recursive: true })
  const built = build()
  // Awaited below; until then a failure must not count as unhandled.
  built.catch(() => {})

  const logFile = createWriteStream(join(folder, 'servers.log'), { flags: 'a', mode: 0o600 })
  const log = (text: string) => logFile.write(text)
  const [chain, database] = await Promise.all([
    startDevChain({ port: ports.chain, dataDir: folder, log: (message) => log(`${message}\n`) }).then(
      (chain) => {
        stops.push({ name: 'dev chain', stop: () => chain.stop() })
        return chain
      },
    ),
    env.text('DATABASE_URL')
      ? { url: env.text('DATABASE_URL') ?? '' }
      : startEmbeddedPostgres({ dataDir: folder }).then((postgres) => {
          stops.push({ name: 'PostgreSQL', stop: () => postgres.stop() })
          return postgres
        }),
  ])
  step(`dev chain     ${chain.rpcUrl}  (chain id ${chain.chainId})`)
  step(`PostgreSQL    ${new URL(database.url).host}`)

  const urls = {
    gateway: `http://127.0.0.1:${ports.gateway}`,
    facilitator: `http://127.0.0.1:${ports.facilitator}`,
  }
  const credentials = await prepareDemo(database.url, chain, urls)
  const shared = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    SECRET_KEYS: env.text('SECRET_KEYS') ?? (await readDevelopmentKeys(folder)),
  }
  await built
  const servers = await Promise.all([
    startServer('gateway', {
      packageName: 'gateway-server',
      url: urls.gateway,
      log,
      env: {
        ...shared,
        GATEWAY_PORT: String(ports.gateway),
        CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
        FINALITY: '1',
        RATE_LIMIT_PER_SECOND: '1000',
        RATE_LIMIT_BURST: '2000',
      },
    }),
    startServer('facilitator', {
      packageName: 'facilitator-server',
      url: urls.facilitator,
      log,
      env: {
        ...shared,
        FACILITATOR_PORT: String(ports.facilitator),
        CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
        FINALITY: '2',
        FACILITATOR_SIGNER_KEYS: people.facilitatorSigner.privateKey,
        TREASURY_CHAIN: String(chain.chainId),
        TREASURY_ADDRESS: chain.treasury,
        WEBHOOK_ALLOW_PRIVATE: 'true',
      },
    }),
  ])
  stops.push(...servers)
  for (const server of servers) {
    void server.exited.then((code) => {
      if (stopping) return
      console.error(`The ${server.name} ended (status ${code}); its log is ${join(folder, 'servers.log')}.`)
      void end(1)
    })
  }
  const payer = devAccounts.find(({ address }) => address.toLowerCase() === people.payer)
  if (payer === undefined) throw new Error('the demo has no payer')
  await fundPayer(credentials, payer, chain)
  const file = await writeCredentials(credentials)
  step(`gateway       ${urls.gateway}  (${urls.gateway}/docs)`)
  step(`facilitator   ${urls.facilitator}  (${urls.facilitator}/docs)`)
  step(`credentials   ${relative(process.cwd(), file)}`)
  console.log(
    `\nReady after ${((performance.now() - begun) / 1000).toFixed(1)} s. In another terminal: npm run tour`,
  )
}

console.log('Starting Mintmark …')
start().catch(async (error: unknown) => {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  await end(1)
})
