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

/** Sends vouchers to a facilitator whose chain returns constants. */
async function measureVouchers(
  storage: FacilitatorStorage,
  { token }: TestAccount,
  { bodies, quick, onRound }: { bodies: readonly object[]; quick: boolean; onRound: () => void },
): Promise<readonly Round[]> {
  await using stops = new AsyncDisposableStack()
  const stub = await startChildServer(stops, 'stub-chain.ts')
  // Deposits are on another chain, because the stub has no blocks.
  const settings = { FACILITATOR_SIGNER_KEYS, TREASURY_CHAIN: '1', AUDIT_INTERVAL_SECONDS: '0' }
  const port = await startFacilitator(stops, storage, `http://127.0.0.1:${stub}`, settings)
  const load = startChild(stops, 'load.ts')
  const headers = { authorization: `Bearer ${token}` }
  const requests = bodies.map((body) => formatRequest('POST', '/x402/verify', headers, JSON.stringify(body)))
  const order = { milliseconds: quick ? 1_000 : 3_000, connections: CONNECTIONS, expected: '"isValid":true' }
  const measured: Round[] = []
  for (let round = 0; round < WARM_UP + countRounds(quick); round++) {
    const result = await measureLoad(load, { port, requests }, order)
    if (round >= WARM_UP) measured.push(result)
    onRound()
  }
  return measured
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
  const steps = WARM_UP + countRounds(quick) + 2
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
  const measured = await measureVouchers(storage, account, { bodies, quick, onRound: step })

  const rate = median(measured.map(({ rate }) => rate))
  const rows: Row[] = [
    { name: `vouchers over ${CONNECTIONS} connections`, figures: [...summarizeRounds(measured), null] },
    { name: 'claim of one channel', figures: [null, null, toFigure(gasOfOne)] },
    { name: `claim of ${CHANNELS} channels`, figures: [null, null, toFigure(gasOfMany)] },
  ]
  return {
    columns: [...LOAD_COLUMNS, { name: 'gas of each channel', unit: 'count', better: 'lower' }],
    rows,
    chart: { kind: 'categories', title: 'Gas of a claim for each channel', columns: ['gas of each channel'] },
    aims: [
      {
        text: `at least ${MIN_RATE} vouchers per second, at the median of rounds: ${Math.round(rate)}`,
        reached: rate >= MIN_RATE,
      },
    ],
  }
}

/**
 * Measures payment channels: how many vouchers a facilitator verifies, with the chain stubbed, and the gas of
 * claims on anvil.
 */
export const channelsSection: Section = {
  name: 'channels',
  title: 'Payment channels: vouchers per second with the chain stubbed, gas of claims on anvil',
  measure,
}
