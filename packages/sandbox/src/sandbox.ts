import { join } from 'node:path'
import { anvilClient, type DevChain, startDevChain } from '@mintmark/devkit'
import { eventWebhooks } from '@mintmark/events'
import { webhooks as facilitatorWebhooks } from '@mintmark/facilitator'
import {
  createFacilitator,
  createGateway,
  type FacilitatorClient,
  type GatewayClient,
} from '@mintmark/transport'
import pg from 'pg'
import { accountKeys, type SandboxAccounts, sandboxAccounts } from './accounts.ts'
import { createChain, type SandboxChain } from './chain.ts'
import { createChainFaults } from './chain-faults.ts'
import { pairWithChain } from './chain-pairing.ts'
import { catchUpChain, createClock, createClockReading, type SandboxClock } from './clock.ts'
import { readAhead, withSandboxClock } from './clock-database.ts'
import { type Credentials, readCredentials, writeCredentials } from './credentials.ts'
import { openDataDir, openLog } from './data-folder.ts'
import { openSandboxDatabase } from './database.ts'
import { readDevelopmentKeys } from './development-keys.ts'
import { startFacilitatorProxy } from './facilitator-proxy.ts'
import { createFaults, type SandboxFaults } from './faults.ts'
import { fundPayer } from './fund-payer.ts'
import {
  type PaymentTerms,
  type SignedPayment,
  signPayment,
  type TokenTransfer,
  transferToken,
} from './payments.ts'
import { startServers } from './servers.ts'
import { RowSnapshots } from './snapshot-database.ts'
import { createSnapshots, type SandboxSnapshot } from './snapshots.ts'
import { explainPort } from './start-error.ts'
import { Stops, waitForAll } from './stops.ts'
import { prepareTenants } from './tenants.ts'
import { type SandboxWebhooks, startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

/** Ports on 127.0.0.1. 0 selects any free one. */
export interface SandboxPorts {
  readonly gateway: number
  readonly facilitator: number
  readonly chain: number
}

export interface SandboxOptions {
  /**
   * Contains the chain, the database, the log and the credentials. A later start continues with them.
   * Default: a temporary folder, which is removed.
   */
  readonly dataDir?: string
  /** Default: any free ports. */
  readonly ports?: SandboxPorts
  /**
   * Whether the project has demo rows: profiles, a contract, an edition, cards and an unpaid order. Default
   * false.
   */
  readonly demo?: boolean
  /**
   * Default: an embedded PostgreSQL. The sandbox writes rows, keys and accounts to it, whose wallets have
   * public private keys, and replaces its clock: pass a database that is used for nothing else. Its user must
   * be a superuser.
   */
  readonly databaseUrl?: string | undefined
  /** Default: keys that the first start stores in `dataDir`. */
  readonly secretKeys?: string | undefined
  /** More settings of both servers. The sandbox's own settings take precedence. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Receives a line for each part that has started. */
  readonly report?: (line: string) => void
}

/** A running sandbox: both servers on PostgreSQL and a chain, for tests and for trying things out. */
export interface Sandbox extends AsyncDisposable {
  /** Calls the gateway with the key of the sandbox's project: pass it to operations. */
  readonly gateway: GatewayClient
  /** Calls the facilitator with the key of the payer's account: pass it to operations. */
  readonly facilitator: FacilitatorClient
  readonly accounts: SandboxAccounts
  /** The addresses, keys and tokens, for clients of a program under test. */
  readonly credentials: Credentials
  readonly clock: SandboxClock
  readonly chain: SandboxChain
  readonly faults: SandboxFaults
  readonly webhooks: SandboxWebhooks
  /** Contains `servers.log`. */
  readonly dataDir: string
  /**
   * Signs an x402 payment, by default of a cent by `accounts.payer`. Returns the body of a verify or a
   * settle.
   */
  signPayment(terms: PaymentTerms): Promise<SignedPayment>
  /** Transfers USDC, by default from `accounts.buyer`: pays an order. Returns the transaction's hash. */
  transferToken(transfer: TokenTransfer): Promise<string>
  /**
   * Runs the jobs of both servers now, and waits for them. They also run by themselves, most every second.
   */
  runJobs(): Promise<void>
  /**
   * Returns to the rows of the start: what tests created is gone, keys and tokens stay valid. Ends faults,
   * forgets received webhooks and restores the balances of the accounts. The clock and the chain with its
   * contracts go on.
   */
  reset(): Promise<void>
  /** Saves the present rows and balances. */
  snapshot(): Promise<SandboxSnapshot>
  /** Stops everything. Removes the temporary folder. */
  stop(): Promise<void>
}

const ANY_PORTS: SandboxPorts = { gateway: 0, facilitator: 0, chain: 0 }

/**
 * Starts a chain, PostgreSQL, the gateway and the facilitator in this process, with a project, a funded
 * account and funded wallets. Any number can run at the same time.
 *
 * @throws SandboxStartError for a port in use, a second sandbox in one folder, or a database whose chain was
 * lost. The message says what to do.
 * @example
 * await using sandbox = await startSandbox()
 * const { list } = await promoCodeCards.list(sandbox.gateway)
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stops = new Stops()
  const stop = () => stops.stop()
  try {
    return { ...(await startParts(options, stops)), stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** What the servers need, and what their callers meet. */
async function startSurroundings(options: SandboxOptions, stops: Stops) {
  const { ports = ANY_PORTS, report = () => {} } = options
  const { dataDir, unlock } = await openDataDir(options.dataDir, stops)
  const log = await openLog(dataDir, stops)
  const proxy = await explainPort(
    { owner: 'facilitator', number: ports.facilitator, variable: 'FACILITATOR_PORT' },
    startFacilitatorProxy(ports.facilitator, stops),
  )
  const receiver = await startWebhookReceiver(stops)
  const [chain, databaseUrl] = await waitForAll([
    startChain({ port: ports.chain, dataDir: options.dataDir, log, report }, stops),
    openSandboxDatabase({ databaseUrl: options.databaseUrl, keptIn: options.dataDir }, stops),
  ])
  await unlock()
  report(`PostgreSQL    ${new URL(databaseUrl).host}`)
  const admin = openAdminPool(databaseUrl, log)
  stops.defer(() => admin.end())
  const chainClient = anvilClient(chain.rpcUrl)
  const isOwnDatabase = options.databaseUrl !== undefined
  await pairWithChain({ admin, databaseUrl, chain: chainClient, dataDir, isOwnDatabase, log })
  const reading = createClockReading(await readAhead(admin))
  if (reading.aheadMs > 0) await catchUpChain(chainClient, reading)
  return { ports, report, dataDir, log, proxy, receiver, chain, databaseUrl, admin, chainClient, reading }
}
type Surroundings = Awaited<ReturnType<typeof startSurroundings>>

/** Creates the project and the account, and starts both servers. */
async function startWithTenants(surroundings: Surroundings, options: SandboxOptions, stops: Stops) {
  const { ports, dataDir, log, proxy, chain, databaseUrl, reading } = surroundings
  const clockedUrl = withSandboxClock(databaseUrl)
  const secretKeys = options.secretKeys ?? (await readDevelopmentKeys(dataDir))
  const earlier = await readCredentials(dataDir)
  const keys = await prepareTenants(clockedUrl, { chain, secretKeys, demo: options.demo === true, earlier })
  const servers = await startServers(
    {
      ports,
      chain,
      env: {
        MEDIA_DIRECTORY: join(dataDir, 'media'),
        ...options.env,
        DATABASE_URL: clockedUrl,
        SECRET_KEYS: secretKeys,
      },
      clock: () => reading.now(),
      facilitatorUrl: proxy.url,
      log,
    },
    stops,
  )
  proxy.forwardTo(servers.facilitatorUrl)
  const { rpcUrl, chainId, token } = chain
  const credentials: Credentials = {
    gateway: { baseUrl: servers.gatewayUrl, credentials: keys.gateway, ...keys.gateway },
    facilitator: {
      baseUrl: proxy.url,
      credentials: { token: keys.facilitator.token },
      ...keys.facilitator,
    },
    operator: { baseUrl: proxy.url, credentials: { token: servers.operatorToken } },
    chain: { rpcUrl, chainId, token },
    accounts: accountKeys,
    ...(keys.demo && { demo: keys.demo }),
    ...(keys.console && { console: { url: `${servers.gatewayUrl}/console/`, ...keys.console } }),
  }
  return { credentials, runJobs: servers.runJobs }
}

async function startParts(
  options: SandboxOptions,
  stops: Stops,
): Promise<Omit<Sandbox, 'stop' | typeof Symbol.asyncDispose>> {
  const surroundings = await startSurroundings(options, stops)
  const { report, dataDir, log, proxy, receiver, chain, admin, chainClient, reading } = surroundings
  const { credentials, runJobs } = await startWithTenants(surroundings, options, stops)
  const clients = createClients(credentials)
  const { gateway, facilitator } = credentials
  report(`gateway       ${gateway.baseUrl}  (${gateway.baseUrl}/docs)`)
  report(`facilitator   ${facilitator.baseUrl}  (${facilitator.baseUrl}/docs)`)
  await fundPayer(clients.facilitator, { chain, chainClient, runJobs, now: reading.now() })
  await subscribe(receiver, clients)
  if (credentials.console) {
    const { url, emails, password } = credentials.console
    report(`console       ${url}  (${emails[0]}, password ${password})`)
  }
  // Later starts keep the rows of a start that has come so far.
  await writeCredentials(dataDir, credentials)

  const faults = createFaults(proxy.faults, createChainFaults(chainClient, { stops, log }))
  const snapshots = createSnapshots({
    rows: await RowSnapshots.open(admin),
    chain,
    chainClient,
    receiver,
    faults,
  })
  const start = await snapshots.save()
  return {
    ...clients,
    accounts: sandboxAccounts,
    credentials,
    clock: createClock({ reading, admin, chain: chainClient, runJobs }),
    chain: createChain(chain, chainClient, runJobs),
    faults,
    webhooks: receiver,
    dataDir,
    signPayment: (terms) => signPayment(credentials.chain, terms, reading.now()),
    transferToken: (transfer) => transferToken(credentials.chain, transfer),
    runJobs,
    reset: () => start.restore(),
    snapshot: () => snapshots.save(),
  }
}

/** Opens connections of a superuser. */
function openAdminPool(connectionString: string, log: (line: string) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 })
  // Without listeners an error would end the process: of a connection that is in use, idle, or still closing
  // when PostgreSQL stops.
  pool.on('connect', (client) => {
    client.on('error', ({ message }) => log(`A connection of the sandbox broke: ${message}`))
  })
  // The connection's own listener has reported it.
  pool.on('error', () => {})
  return pool
}

interface ChainPlacement {
  readonly port: number
  /** Undefined: the chain is kept in memory. */
  readonly dataDir: string | undefined
  readonly log: (line: string) => void
  readonly report: (line: string) => void
}

async function startChain({ port, dataDir, log, report }: ChainPlacement, stops: Stops): Promise<DevChain> {
  const chain = await explainPort(
    { owner: 'dev chain', number: port, variable: 'CHAIN_PORT' },
    startDevChain({ port, log, ...(dataDir !== undefined && { dataDir }) }),
  )
  stops.defer(() => chain.stop())
  report(`dev chain     ${chain.rpcUrl}  (chain id ${chain.chainId})`)
  return chain
}

interface Clients {
  readonly gateway: GatewayClient
  readonly facilitator: FacilitatorClient
}

function createClients({ gateway, facilitator }: Credentials): Clients {
  return { gateway: createGateway(gateway), facilitator: createFacilitator(facilitator) }
}

const DESCRIPTION = 'The receiver of the sandbox'

/** Configures webhooks of both servers for all events, in place of those of an earlier start. */
async function subscribe(receiver: WebhookReceiver, { gateway, facilitator }: Clients): Promise<void> {
  const { url } = receiver
  const isEarlier = ({ description }: { readonly description: string }) => description === DESCRIPTION
  for (const webhook of await eventWebhooks.list(gateway)) {
    if (isEarlier(webhook)) await eventWebhooks.remove(gateway, { id: webhook.id })
  }
  for (const webhook of await facilitatorWebhooks.list(facilitator)) {
    if (isEarlier(webhook)) await facilitatorWebhooks.remove(facilitator, { id: webhook.id })
  }
  const [ofGateway, ofFacilitator] = await Promise.all([
    eventWebhooks.configure(gateway, { url, description: DESCRIPTION }),
    facilitatorWebhooks.configure(facilitator, { url, description: DESCRIPTION }),
  ])
  for (const { secret } of [ofGateway, ofFacilitator]) {
    if (secret !== undefined) receiver.trust(secret)
  }
}
