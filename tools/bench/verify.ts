import type { ChildProcess } from 'node:child_process'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devChainId, treasuryAddress } from '@mintmark/devkit/chain/chain'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { createSecretKey } from '@mintmark/server-kit'
import { openFacilitator, prepareFacilitator, richAccount, signedBodies } from './paying-account.ts'
import {
  figuresOf,
  measureLoad,
  nextMessage,
  type Round,
  readCpuSeconds,
  startBeside,
  startCommand,
  startDatabase,
} from './processes.ts'
import { type Measured, median, type Row, type Section } from './section.ts'

const CONNECTIONS = 32
/** How many times the reference's verifies ours should be. */
const WANTED = { anvil: 2, stubbed: 4 } as const
type ChainName = keyof typeof WANTED

/** A facilitator under measurement. */
interface Contestant {
  readonly port: number
  readonly requests: readonly string[]
  /** Processor seconds that it has used so far. */
  used(): Promise<number>
}

const contestants = ['reference', 'ours'] as const
type Rounds = Readonly<Record<(typeof contestants)[number], Round[]>>

/** Requests as bytes, so that nothing is made while the load runs. */
function post(path: string, bodies: readonly object[], headers: Record<string, string>): string[] {
  return bodies.map((body) => {
    const bytes = JSON.stringify(body)
    const lines = Object.entries({
      host: '127.0.0.1',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(bytes)),
      ...headers,
    })
    return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${bytes}`
  })
}

async function startReference(
  stops: AsyncDisposableStack,
  rpcUrl: string,
  bodies: readonly object[],
): Promise<Contestant> {
  const child = startBeside(stops, 'reference-facilitator.ts', [rpcUrl])
  const port = await nextMessage<number>(child)
  return {
    port,
    requests: post('/verify', bodies, {}),
    used() {
      child.send('used')
      return nextMessage<number>(child)
    },
  }
}

async function startOurs(
  stops: AsyncDisposableStack,
  setting: { rpcUrl: string; databaseUrl: string; token: string; treasuryChain: number },
  bodies: readonly object[],
): Promise<Contestant> {
  const port = await startCommand(stops, 'facilitator', {
    DATABASE_URL: setting.databaseUrl,
    SECRET_KEYS: createSecretKey('bench'),
    CHAINS: `${devChainId}=${setting.rpcUrl}`,
    FINALITY: '2',
    FACILITATOR_SIGNER_KEYS: devAccount(9).privateKey,
    TREASURY_CHAIN: String(setting.treasuryChain),
    TREASURY_ADDRESS: treasuryAddress,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
  })
  return {
    port,
    requests: post('/x402/verify', bodies, { authorization: `Bearer ${setting.token}` }),
    used: () => readCpuSeconds(port),
  }
}

/** Both verify the same payments on one chain, in turns. */
async function compare(
  stops: AsyncDisposableStack,
  load: ChildProcess,
  pair: Record<(typeof contestants)[number], Contestant>,
  quick: boolean,
): Promise<Rounds> {
  const seen: Rounds = { reference: [], ours: [] }
  const warmUp = 2
  for (let round = 0; round < warmUp + (quick ? 5 : 11); round++) {
    for (const name of round % 2 ? contestants : contestants.toReversed()) {
      const { port, requests, used } = pair[name]
      const order = { port, milliseconds: quick ? 700 : 2000, connections: CONNECTIONS, request: requests }
      const measured = await measureLoad(load, { ...order, expected: '"isValid":true' }, used)
      if (round >= warmUp) seen[name].push(measured)
    }
  }
  await stops.disposeAsync()
  return seen
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  await using stops = new AsyncDisposableStack()
  const databaseUrl = await startDatabase(stops)
  await prepareFacilitator(databaseUrl)
  const database = openFacilitator(databaseUrl)
  stops.defer(() => database.close())
  const { token } = await richAccount(database)
  const bodies = await signedBodies(quick ? 500 : 2000)
  const load = startBeside(stops, 'load.ts')

  const on = async (rpcUrl: string, treasuryChain: number, own: AsyncDisposableStack) => {
    stops.use(own)
    const reference = await startReference(own, rpcUrl, bodies)
    const ours = await startOurs(own, { rpcUrl, databaseUrl, token, treasuryChain }, bodies)
    return compare(own, load, { reference, ours }, quick)
  }
  const onAnvil = async () => {
    const own = new AsyncDisposableStack()
    const chain = await startDevChain({ port: 0 })
    own.defer(() => chain.stop())
    return on(chain.rpcUrl, devChainId, own)
  }
  const onStub = async () => {
    const own = new AsyncDisposableStack()
    const port = await nextMessage<number>(startBeside(own, 'stub-chain.ts'))
    // Deposits of another chain, so that nobody looks for them on one that has no blocks.
    return on(`http://127.0.0.1:${port}`, 1, own)
  }
  return table({ anvil: await onAnvil(), stubbed: await onStub() })
}

function table(seen: Record<ChainName, Rounds>): Measured {
  const names: Record<ChainName, string> = { anvil: 'with anvil', stubbed: 'with the chain stubbed' }
  const each = (Object.keys(seen) as ChainName[]).map((chain) => {
    const { reference, ours } = seen[chain]
    const ratio = median(ours.map(({ rate }, round) => rate / (reference[round]?.rate ?? 0)))
    const rows: Row[] = [
      { name: `reference, ${names[chain]}`, figures: [...figuresOf(reference), ''] },
      { name: `ours, ${names[chain]}`, figures: [...figuresOf(ours), `${ratio.toFixed(2)} ×`] },
    ]
    const aim = {
      text: `at least ${WANTED[chain]} × the reference ${names[chain]}, at the median of rounds: ${ratio.toFixed(2)} ×`,
      reached: ratio >= WANTED[chain],
    }
    return { rows, aim }
  })
  return {
    columns: ['per second', 'slowest round', 'fastest round', 'CPU µs each', 'of reference'],
    rows: each.flatMap(({ rows }) => rows),
    aims: each.map(({ aim }) => aim),
  }
}

/** Compares the rate of our verify with that of the x402 packages' own facilitator, both over HTTP. */
export const verifySection: Section = {
  name: 'verify',
  title: `Verify under load: ${CONNECTIONS} connections, distinct signed payments, responses per second`,
  measure,
}
