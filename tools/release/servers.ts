import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { createTestDatabase } from '@mintmark/devkit/testing'
import type { DemoCredentials } from '@mintmark/sandbox'
import { createSecretKey } from '@mintmark/server-kit'
import { createFacilitator } from '@mintmark/transport'
import { ensureQuota } from '../../packages/sandbox/src/fund-payer.ts'
import { run } from '../run.ts'

const wallets = { buyer: devAccount(1), creator: devAccount(2), payer: devAccount(3), signer: devAccount(9) }

/** The servers that are installed in a project, with what their callers need. */
export interface Servers {
  readonly credentials: DemoCredentials
  /** Creates a key of another project of the gateway, which has no records yet. */
  createProject(name: string): Promise<DemoCredentials>
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL, a dev chain and the installed servers, as their READMEs describe.
 */
export async function startServers(project: string): Promise<Servers> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0 })
  stops.defer(() => chain.stop())
  const database = await createTestDatabase()
  stops.defer(() => database.drop())
  const settings = {
    DATABASE_URL: database.url,
    SECRET_KEYS: createSecretKey(),
    OPERATOR_TOKEN: 'the-operator-token-of-the-rehearsal',
    AUTO_MIGRATE: 'true',
    CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
    FINALITY: '1',
    TREASURY_CHAIN: String(chain.chainId),
    TREASURY_ADDRESS: chain.treasury,
    GATEWAY_PORT: '0',
    FACILITATOR_PORT: '0',
    FACILITATOR_SIGNER_KEYS: wallets.signer.privateKey,
    SHUTDOWN_DELAY_MS: '0',
    SHUTDOWN_IDLE_MS: '0',
  }
  const gateway = serverOf(project, 'gateway', settings)
  const createKey = async (name: string) => {
    const { apiKey = '', secret = '' } = await gateway.command('keys', 'create', '--project', name)
    return { apiKey, secret, credentials: { apiKey, secret } }
  }
  const facilitator = serverOf(project, 'facilitator', settings)
  const payer = wallets.payer.address
  const audit = ['--actor', 'rehearsal', '--reason', 'rehearsal']
  await facilitator.command('accounts', 'create', '--payer', payer, ...audit)
  await facilitator.command('accounts', 'credit', payer, '--amount', '20', ...audit)
  const { token = '' } = await facilitator.command('keys', 'create', payer, ...audit)
  const facilitatorUrl = await facilitator.serve(stops)
  const credentials: DemoCredentials = {
    gateway: { baseUrl: await gateway.serve(stops), ...(await createKey('rehearsal')) },
    facilitator: { baseUrl: facilitatorUrl, credentials: { token }, token, payer },
    operator: { baseUrl: facilitatorUrl, credentials: { token: settings.OPERATOR_TOKEN } },
    chain: { rpcUrl: chain.rpcUrl, chainId: chain.chainId, token: chain.token },
    accounts: { buyer: wallets.buyer, creator: wallets.creator, payer: wallets.payer, others: [] },
    demo: {
      wallet: wallets.buyer.address.toLowerCase(),
      creator: wallets.creator.address.toLowerCase(),
      nftAddress: '0x00000000000000000000000000000000000000aa',
      orderNo: '',
    },
  }
  const quota = { limit: 20n * 10n ** 18n, now: Date.now() }
  await ensureQuota(
    createFacilitator({ baseUrl: facilitatorUrl, credentials: { token } }),
    wallets.payer,
    quota,
  )
  const owned = stops.move()
  return {
    credentials,
    async createProject(name) {
      return { ...credentials, gateway: { ...credentials.gateway, ...(await createKey(name)) } }
    },
    stop: () => owned.disposeAsync(),
  }
}

function serverOf(project: string, name: 'gateway' | 'facilitator', settings: Record<string, string>) {
  const options = { cwd: project, env: { ...process.env, ...settings } }
  return {
    /** Runs a command that prints JSON. */
    async command(...parameters: readonly string[]): Promise<Record<string, string>> {
      return JSON.parse(await run('npx', ['--no', `mintmark-${name}`, ...parameters], options))
    },
    /** Returns the address of the started server. */
    async serve(stops: AsyncDisposableStack): Promise<string> {
      const cli = join(project, 'node_modules/@mintmark', `${name}-server`, 'dist/cli.js')
      const child = spawn(process.execPath, [cli, 'serve'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
      stops.defer(() => stopServer(child))
      return await readyAt(name, child)
    },
  }
}

/** Reads a server's log until it is ready, and returns its address. */
async function readyAt(name: string, child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  return await new Promise<string>((resolve, reject) => {
    child.once('close', (status) => reject(new Error(`the ${name} ended with status ${status}:\n${log}`)))
    createInterface(child.stdout).on('line', (line) => {
      log += `${line}\n`
      if (!line.includes('"msg":"ready"')) return
      const { url }: { url: string } = JSON.parse(line)
      resolve(url)
    })
  })
}

async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await closed
  clearTimeout(timeout)
}
