import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { devAccount } from '../devchain/accounts.ts'
import { type DevChain, startDevChain } from '../devchain/start.ts'
import type { Credentials } from '../start/credentials.ts'
import { fundPayer } from '../start/fund-payer.ts'
import { runAside } from './run.ts'

/** Both servers of a project, run as its `node_modules` has them, with what their callers need. */
export interface Servers {
  readonly credentials: Credentials
  stop(): Promise<void>
}

const wallets = { buyer: devAccount(1), creator: devAccount(2), payer: devAccount(3), signer: devAccount(9) }

/**
 * Starts a dev chain, and the gateway and the facilitator that are installed in a project, each with a PostgreSQL of its own, as
 * their READMEs tell: keys first, then `serve`.
 */
export async function startServers(project: string): Promise<Servers> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const chain = await startDevChain({ port: 0 })
    stops.push(() => chain.stop())
    const chains = { CHAINS: `${chain.chainId}=${chain.rpcUrl}`, FINALITY: '1' }

    const starting = [
      startGateway(project, chains).then(({ stop, ...started }) => {
        stops.push(stop)
        return started
      }),
      startFacilitator(project, { ...chains, ...treasuryOf(chain) }).then(({ stop, ...started }) => {
        stops.push(stop)
        return started
      }),
    ] as const
    // One that fails must not leave the other, which would be there after everything was stopped.
    await Promise.allSettled(starting)
    const [gateway, facilitator] = await Promise.all(starting)
    const credentials: Credentials = {
      gateway,
      facilitator,
      chain: { rpcUrl: chain.rpcUrl, chainId: chain.chainId, token: chain.token },
      demo: {
        wallet: wallets.buyer.address.toLowerCase(),
        creator: wallets.creator.address.toLowerCase(),
        nftAddress: '0x00000000000000000000000000000000000000aa',
        orderNo: '',
      },
    }
    await fundPayer(credentials, wallets.payer, chain)
    return { credentials, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const treasuryOf = (chain: DevChain) => ({
  TREASURY_CHAIN: String(chain.chainId),
  TREASURY_ADDRESS: chain.treasury,
})

async function startGateway(project: string, settings: Record<string, string>) {
  const gateway = server(project, 'gateway', { ...settings, GATEWAY_PORT: '0' })
  const { apiKey = '', secret = '' } = await gateway.command('keys', 'create', '--project', 'rehearsal')
  const { url, stop } = await gateway.serve()
  return { baseUrl: url, apiKey, secret, stop }
}

async function startFacilitator(project: string, settings: Record<string, string>) {
  const FACILITATOR_SIGNER_KEYS = wallets.signer.privateKey
  const facilitator = server(project, 'facilitator', {
    ...settings,
    FACILITATOR_PORT: '0',
    FACILITATOR_SIGNER_KEYS,
  })
  const payer = wallets.payer.address
  await facilitator.command('accounts', 'create', '--payer', payer)
  const why = ['--actor', 'rehearsal', '--reason', 'rehearsal']
  await facilitator.command('accounts', 'credit', payer, '--amount', '20', ...why)
  const { token = '' } = await facilitator.command('keys', 'create', payer)
  const { url, stop } = await facilitator.serve()
  return { baseUrl: url, token, payer, stop }
}

function server(project: string, name: 'gateway' | 'facilitator', settings: Record<string, string>) {
  const data = join(project, name)
  mkdirSync(data, { recursive: true })
  const { DATABASE_URL: _, SECRET_KEYS: __, ...inherited } = process.env
  const env = { ...inherited, ...settings, DATA_DIR: data }
  return {
    /** Runs a command that prints JSON. */
    async command(...parameters: readonly string[]): Promise<Record<string, string>> {
      return JSON.parse(await runAside('npx', ['--no', `mintmark-${name}`, ...parameters], project, env))
    },
    async serve() {
      const cli = join(project, 'node_modules/@mintmark', `${name}-server`, 'dist/cli.js')
      const child = spawn(process.execPath, [cli, 'serve'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      return { url: await readyAt(name, child), stop: () => stopServer(child) }
    },
  }
}

/** The address that a server says it is ready at; the rest of its log is read and let go. */
async function readyAt(
  name: string,
  child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream },
) {
  let told = ''
  child.stderr.on('data', (chunk) => {
    told += chunk
  })
  return await new Promise<string>((resolve, reject) => {
    child.once('close', (status) => reject(new Error(`the ${name} ended with status ${status}:\n${told}`)))
    createInterface(child.stdout).on('line', (line) => {
      told += `${line}\n`
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
  const impatience = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await closed
  clearTimeout(impatience)
}
