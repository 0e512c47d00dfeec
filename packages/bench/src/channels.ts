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
import { type Row, summarize, toFigure } from './figures.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { formatRequest, readServerCpuSeconds } from './load-runs.ts'
import { nextMessage, startChild, startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const MIN_RATE = 5_000
const CONNECTIONS = 256
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

/** Sends vouchers to a facilitator whose chain returns constants. Returns the rate of each round, and its costs. */
async function measureVouchers(
  storage: FacilitatorStorage,
  { token }: TestAccount,
  { bodies, quick, onRound }: { bodies: readonly object[]; quick: boolean; onRound: () => void },
): Promise<{ rates: number[]; costs: number[] }> {
  await using stops = new AsyncDisposableStack()
  const stub = await startChildServer(stops, 'stub-chain.ts')
  // Deposits are on another chain, because the stub has no blocks.
  const settings = { FACILITATOR_SIGNER_KEYS, TREASURY_CHAIN: '1', AUDIT_INTERVAL_SECONDS: '0' }
  const port = await startFacilitator(stops, storage, `http://127.0.0.1:${stub}`, settings)
  const load = startChild(stops, 'load.ts')
  const headers = { authorization: `Bearer ${token}` }
  const requests = bodies.map((body) => formatRequest('POST', '/x402/verify', headers, JSON.stringify(body)))
  const rates: number[] = []
  const costs: number[] = []
  // The first rounds optimize the server's code.
  for (let round = -2; round < rounds(quick); round++) {
    const before = await readServerCpuSeconds(port)
    const milliseconds = quick ? 1_000 : 3_000
    const order = { port, requests, connections: CONNECTIONS, milliseconds, expected: '"isValid":true' }
    load.send(order satisfies LoadOrder)
    const { responses, failed, failure, seconds } = await nextMessage<LoadReport>(load)
    if (failed > 0) throw new Error(`${failed} of ${responses} vouchers were refused. The first: ${failure}`)
    onRound()
    if (round < 0) continue
    rates.push(responses / seconds)
    costs.push((((await readServerCpuSeconds(port)) - before) * 1e6) / responses)
  }
  return { rates, costs }
}

const rounds = (quick: boolean): number => (quick ? 3 : 7)

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
  const steps = rounds(quick) + 4
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
  const { rates, costs } = await measureVouchers(storage, account, { bodies, quick, onRound: step })

  const rate = median(rates)
  const rows: Row[] = [
    { name: `vouchers over ${CONNECTIONS} connections`, figures: [summarize(rates), summarize(costs), null] },
    { name: 'claim of one channel', figures: [null, null, toFigure(gasOfOne)] },
    { name: `claim of ${CHANNELS} channels`, figures: [null, null, toFigure(gasOfMany)] },
  ]
  return {
    columns: [
      { name: 'vouchers', unit: 'per second' },
      { name: 'CPU of each', unit: 'µs' },
      { name: 'gas of each channel', unit: 'count', better: 'lower' },
    ],
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
