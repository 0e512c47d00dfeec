import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DevChain, startDevChain } from '@mintmark/devkit/chain/start'
import { startFacilitator } from '@mintmark/facilitator-server'
import { startGateway } from '@mintmark/gateway-server'
import { createLog, readDevelopmentKeys, readEnvironment, startEmbeddedPostgres } from '@mintmark/server-kit'
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts'
import { prepareDemo, wallets } from './demo.ts'
import { fundPayer } from './fund-payer.ts'

export interface SandboxOptions {
  /** Contains the chain, the database, the log and the credentials. A later start continues with them. */
  readonly dataDir: string
  /** Ports on 127.0.0.1. 0 selects any free one. Default: 4000, 4001 and 8545. */
  readonly ports?: { readonly gateway: number; readonly facilitator: number; readonly chain: number }
  /**
   * Default: an embedded PostgreSQL in `dataDir`. The sandbox writes demo rows, keys and accounts to it, whose wallets have public private keys: pass a
   * database that is used for nothing else.
   */
  readonly databaseUrl?: string | undefined
  /** Default: keys that the first start stores in `dataDir`. */
  readonly secretKeys?: string | undefined
  /** More settings of both servers. The sandbox's own settings take precedence. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Receives a line for each part that has started. */
  readonly report?: (line: string) => void
}

/** A running sandbox. */
export interface Sandbox {
  readonly credentials: Credentials
  /** The path of the file with the credentials. */
  readonly credentialsFile: string
}

const DEFAULT_PORTS = { gateway: 4000, facilitator: 4001, chain: 8545 }

/**
 * Starts a dev chain, PostgreSQL and both servers in this process, with demo data and a funded payer.
 *
 * @param stops Stops what has started, also after a start that failed.
 */
export async function startSandbox(options: SandboxOptions, stops: AsyncDisposableStack): Promise<Sandbox> {
  const { dataDir, ports = DEFAULT_PORTS, report = () => {} } = options
  await mkdir(dataDir, { recursive: true })
  const logFile = createWriteStream(join(dataDir, 'servers.log'), { flags: 'a', mode: 0o600 })
  stops.defer(() => new Promise<void>((resolve) => logFile.end(resolve)))
  const log = (message: string) => logFile.write(`${message}\n`)
  const [chain, databaseUrl] = await Promise.all([
    startDevChain({ port: ports.chain, dataDir, log }).then((started) => {
      stops.defer(() => started.stop())
      return started
    }),
    options.databaseUrl ?? startDatabase(dataDir, stops),
  ])
  report(`dev chain     ${chain.rpcUrl}  (chain id ${chain.chainId})`)
  report(`PostgreSQL    ${new URL(databaseUrl).host}`)

  const secretKeys = options.secretKeys ?? (await readDevelopmentKeys(dataDir))
  const earlier = await readCredentials(dataDir)
  const keys = await prepareDemo(databaseUrl, { chain, secretKeys, earlier })
  const shared = { ...options.env, DATABASE_URL: databaseUrl, SECRET_KEYS: secretKeys, DATA_DIR: dataDir }
  const urls = await startServers({ ports, chain, env: shared, logFile }, stops)
  const credentials: Credentials = {
    gateway: { baseUrl: urls.gateway, ...keys.gateway },
    facilitator: { baseUrl: urls.facilitator, ...keys.facilitator },
    chain: { rpcUrl: chain.rpcUrl, chainId: chain.chainId, token: chain.token },
    demo: keys.demo,
  }
  await fundPayer(credentials, wallets.payer, chain)
  report(`gateway       ${urls.gateway}  (${urls.gateway}/docs)`)
  report(`facilitator   ${urls.facilitator}  (${urls.facilitator}/docs)`)
  return { credentials, credentialsFile: await writeCredentials(dataDir, credentials) }
}

async function startDatabase(dataDir: string, stops: AsyncDisposableStack): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir })
  stops.defer(() => postgres.stop())
  return postgres.url
}

/** What both servers start with. */
interface ServerPlan {
  readonly ports: typeof DEFAULT_PORTS
  readonly chain: DevChain
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: { write(line: string): unknown }
}

/** Starts both servers, and returns their addresses. */
async function startServers({ ports, chain, env, logFile }: ServerPlan, stops: AsyncDisposableStack) {
  const chains = `${chain.chainId}=${chain.rpcUrl}`
  const createServerLog = (name: string) =>
    createLog(name, env.LOG_LEVEL || 'info', { write: (line) => void logFile.write(line) })
  const gateway = await startGateway(
    readEnvironment({
      ...env,
      GATEWAY_PORT: String(ports.gateway),
      CHAINS: chains,
      FINALITY: '1',
      RATE_LIMIT_PER_SECOND: '1000',
      RATE_LIMIT_BURST: '2000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
    createServerLog('gateway'),
  )
  stops.defer(() => gateway.close())
  const facilitator = await startFacilitator(
    readEnvironment({
      ...env,
      FACILITATOR_PORT: String(ports.facilitator),
      CHAINS: chains,
      FINALITY: '2',
      FACILITATOR_SIGNER_KEYS: wallets.facilitatorSigner.privateKey,
      TREASURY_CHAIN: String(chain.chainId),
      TREASURY_ADDRESS: chain.treasury,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
    createServerLog('facilitator'),
  )
  stops.defer(() => facilitator.close())
  return { gateway: gateway.url, facilitator: facilitator.url }
}
