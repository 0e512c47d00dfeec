import type { ChildProcess } from 'node:child_process'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { type ConnectedChain, connectChain } from '@mintmark/devkit/chain/connect'
import { startDevChain } from '@mintmark/devkit/chain/start'
import type { Hex } from 'viem'
import {
  callsOf,
  claimBody,
  depositBody,
  newAccount,
  openChannel,
  type TestChannel,
  voucherBody,
} from '../../facilitator-server/src/e2e/testing-channels.ts'
import type { TestAccount } from '../../facilitator-server/src/testing.ts'
import { type FacilitatorStorage, startFacilitator, startStorage } from './facilitator-environment.ts'
import { type Row, toFigure } from './figures.ts'
import { formatRequest, LOAD_COLUMNS, measureLoad, type Round, summarizeRounds } from './load-runs.ts'
import { startChild, startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const MIN_RATE = 5_000
const CONNECTIONS = 256
/** Numbers of facilitators: a process uses one core. */
const PROCESSES = [1, 2]
/** The first rounds optimize the server's code. */
const WARM_UP = 2
const CHANNELS = 100
const CLAIMED = 10_000n
const FACILITATOR_SIGNER_KEYS = devAccount(9).privateKey

/** Signs vouchers with rising totals, one channel after the other. */
async function signVouchers(
  chain: ConnectedChain,
  channels: readonly TestChannel[],
  count: number,
): Promise<object[]> {
  const bodies: object[] = []
  for (let maximum = 1n; bodies.length < count; maximum += 1n) {
    for (const channel of channels) bodies.push(await voucherBody(chain, channel, maximum))
  }
  return bodies
}

interface VoucherPlan {
  readonly bodies: readonly object[]
  /** The number of facilitators on one database, which share the connections. */
  readonly processes: number
  readonly quick: boolean
  onRound(): void
}

/** Sends vouchers to facilitators whose chain returns constants. */
async function measureVouchers(
  storage: FacilitatorStorage,
  { token }: TestAccount,
  { bodies, processes, quick, onRound }: VoucherPlan,
): Promise<readonly Round[]> {
  await using stops = new AsyncDisposableStack()
  const stub = await startChildServer(stops, 'stub-chain.ts')
  // Deposits are on another chain, because the stub has no blocks.
  const settings = { FACILITATOR_SIGNER_KEYS, TREASURY_CHAIN: '1', AUDIT_INTERVAL_SECONDS: '0' }
  const headers = { authorization: `Bearer ${token}` }
  const requests = bodies.map((body) => formatRequest('POST', '/x402/verify', headers, JSON.stringify(body)))
  const order = {
    milliseconds: quick ? 1_000 : 3_000,
    connections: CONNECTIONS / processes,
    expected: '"isValid":true',
  }
  const servers: { port: number; load: ChildProcess }[] = []
  while (servers.length < processes) {
    const port = await startFacilitator(stops, storage, `http://127.0.0.1:${stub}`, settings)
    servers.push({ port, load: startChild(stops, 'load.ts') })
  }
  const measured: Round[] = []
  for (let round = 0; round < WARM_UP + countRounds(quick); round++) {
    const results = await Promise.all(
      servers.map(({ port, load }) => measureLoad(load, { port, requests }, order)),
    )
    if (round >= WARM_UP) measured.push(combine(results))
    onRound()
  }
  return measured
}

/** Combines the rounds of servers that were loaded at the same time. */
function combine(rounds: readonly Round[]): Round {
  const rate = rounds.reduce((sum, each) => sum + each.rate, 0)
  return { rate, cost: rounds.reduce((sum, each) => sum + each.cost * each.rate, 0) / rate }
}

const countRounds = (quick: boolean): number => (quick ? 3 : 7)

/** Claims the vouchers of channels in one transaction, and returns its gas for each of them. */
async function measureClaim(
  chain: ConnectedChain,
  calls: ReturnType<typeof callsOf>,
  channels: readonly TestChannel[],
): Promise<number> {
  const terms = channels.map((channel) => ({ channel, total: CLAIMED }))
  const { success, transaction } = await calls.settle(await claimBody(chain, terms))
  if (success !== true) throw new Error(`A claim of ${channels.length} channels failed`)
  const { gasUsed } = await chain.client.getTransactionReceipt({ hash: transaction as Hex })
  return Number(gasUsed) / channels.length
}

/** Opens the channels of one seller, with a deposit in each. */
async function openFunded(
  chain: ConnectedChain,
  calls: ReturnType<typeof callsOf>,
  count: number,
): Promise<TestChannel[]> {
  const seller = { receiver: newAccount().address, authorizer: newAccount() }
  const channels: TestChannel[] = []
  while (channels.length < count) {
    const channel = await openChannel(chain, seller)
    const { success } = await calls.settle(await depositBody(chain, channel))
    if (success !== true) throw new Error('A deposit failed')
    channels.push(channel)
  }
  return channels
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const account = await storage.newAccount()
  const chain = connectChain(await startDevChain({ port: 0, blockTime: 0 }))
  stops.defer(() => chain.stop())
  const steps = PROCESSES.length * (WARM_UP + countRounds(quick)) + 2
  let done = 0
  const step = () => onStep(++done, steps)

  const port = await startFacilitator(stops, storage, chain.rpcUrl, { FACILITATOR_SIGNER_KEYS })
  const calls = callsOf({ url: `http://127.0.0.1:${port}` }, account)
  const channels = await openFunded(chain, calls, CHANNELS + 1)
  step()
  const gasOfOne = await measureClaim(chain, calls, channels.slice(0, 1))
  const gasOfMany = await measureClaim(chain, calls, channels.slice(1))
  const bodies = await signVouchers(chain, channels, quick ? 2_000 : 10_000)
  step()
  const vouchers: { processes: number; rounds: readonly Round[] }[] = []
  for (const processes of PROCESSES) {
    const rounds = await measureVouchers(storage, account, { bodies, processes, quick, onRound: step })
    vouchers.push({ processes, rounds })
  }

  const rate = Math.max(...vouchers.map(({ rounds }) => median(rounds.map((round) => round.rate))))
  const rows: Row[] = [
    ...vouchers.map(({ processes, rounds }) => ({
      name: `vouchers over ${CONNECTIONS} connections, ${processes} ${processes === 1 ? 'process' : 'processes'}`,
      figures: [...summarizeRounds(rounds), null],
    })),
    { name: 'claim of one channel', figures: [null, null, toFigure(gasOfOne)] },
    { name: `claim of ${CHANNELS} channels`, figures: [null, null, toFigure(gasOfMany)] },
  ]
  return {
    columns: [...LOAD_COLUMNS, { name: 'gas of each channel', unit: 'count' }],
    rows,
    aims: [
      {
        text: `at least ${MIN_RATE} vouchers per second, at the median of rounds: ${Math.round(rate)}`,
        reached: rate >= MIN_RATE,
      },
    ],
  }
}

/**
 * Measures payment channels: how many vouchers one facilitator and two of them verify, with the chain stubbed,
 * and the gas of claims on anvil.
 */
export const channelsSection: Section = {
  name: 'channels',
  title: 'Payment channels: vouchers per second with the chain stubbed, gas of claims on anvil',
  measure,
}
