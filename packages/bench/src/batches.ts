import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startDevChain } from '@mintmark/devkit/chain/start'
import { sql } from 'kysely'
import { createPublicClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import {
  type FacilitatorStorage,
  signBodies,
  startFacilitator,
  startStorage,
} from './facilitator-environment.ts'
import { type Figure, summarize, toFigure } from './figures.ts'
import type { LoadOrder, LoadReport } from './load.ts'
import { formatRequest, readServerCpuSeconds } from './load-runs.ts'
import { nextMessage, startChild, startChildServer } from './processes.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

const MIN_RATE = 1_000
/** Percent of the gas of a payment by itself. */
const MIN_GAS_SAVING = 30
const PAYMENTS_PER_BATCH = 100
/** For how long a settle waits for others. */
const DELAY_MS = 10
const CONNECTIONS = 600
const PAYERS = 500

const FACILITATOR_SIGNER_KEYS = devAccount(9).privateKey
/** An account whose settles wait for others, or not. */
interface Caller {
  readonly name: string
  readonly token: string
}

async function createCallers(storage: FacilitatorStorage): Promise<readonly Caller[]> {
  const alone = await storage.newAccount()
  const batched = await storage.newAccount()
  await sql`update facilitator.accounts set batch_delay_ms = ${DELAY_MS} where id = ${batched.id}`.execute(
    storage.owner,
  )
  return [
    { name: 'one transaction for each settle', token: alone.token },
    { name: `batches, after at most ${DELAY_MS} ms`, token: batched.token },
  ]
}

/** Bodies of many payers. The balance of each is compared with its payments in flight. */
async function signBodiesOfMany(count: number): Promise<object[]> {
  const payers = Array.from({ length: PAYERS }, () =>
    privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`),
  )
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 24 * 3600)
  const bodies: object[] = []
  while (bodies.length < count) {
    for (const account of payers) bodies.push(await signedBody({ account, validBefore }))
  }
  return bodies
}

interface Rates {
  readonly rates: number[]
  /** Processor microseconds of the facilitator for each settle. */
  readonly costs: number[]
}

/** Settles as many payments as possible on the instant chain, by each caller in turns. */
async function measureRates(
  storage: FacilitatorStorage,
  callers: readonly Caller[],
  { quick, onStep }: MeasureOptions,
): Promise<readonly Rates[]> {
  await using stops = new AsyncDisposableStack()
  const node = await startChildServer(stops, 'instant-chain.ts')
  const settings = { FACILITATOR_SIGNER_KEYS, TREASURY_CHAIN: '1', AUDIT_INTERVAL_SECONDS: '0' }
  const port = await startFacilitator(stops, storage, `http://127.0.0.1:${node}`, settings)
  const load = startChild(stops, 'load.ts')
  const milliseconds = quick ? 1_500 : 3_000
  const rounds = quick ? 3 : 5
  const bodies = await signBodiesOfMany((rounds * callers.length * milliseconds * 2 * MIN_RATE) / 1_000)
  const results = callers.map((): Rates => ({ rates: [], costs: [] }))
  for (let round = 0; round < rounds; round++) {
    for (const [index, { token }] of callers.entries()) {
      const requests = bodies.map((body) =>
        formatRequest('POST', '/x402/settle', { authorization: `Bearer ${token}` }, JSON.stringify(body)),
      )
      const before = await readServerCpuSeconds(port)
      const order = { port, requests, connections: CONNECTIONS, milliseconds, expected: '"success":true' }
      load.send(order satisfies LoadOrder)
      const { responses, failed, failure, seconds } = await nextMessage<LoadReport>(load)
      if (failed > 0) throw new Error(`${failed} of ${responses} settles failed. The first: ${failure}`)
      // A payment is settled once.
      bodies.splice(0, responses)
      // The first round optimizes the server's code.
      if (round === 0) continue
      results[index]?.rates.push(responses / seconds)
      results[index]?.costs.push((((await readServerCpuSeconds(port)) - before) * 1e6) / responses)
    }
    onStep(round + 1, rounds + 1)
  }
  return results
}

/**
 * Settles payments on anvil by each caller, all at once, and returns the gas of a payment in each
 * transaction.
 */
async function measureGas(
  storage: FacilitatorStorage,
  callers: readonly Caller[],
): Promise<readonly number[]> {
  await using stops = new AsyncDisposableStack()
  const chain = await startDevChain({ port: 0 })
  stops.defer(() => chain.stop())
  const port = await startFacilitator(stops, storage, chain.rpcUrl, { FACILITATOR_SIGNER_KEYS })
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const gas: number[] = []
  for (const { token } of callers) {
    const bodies = await signBodies(PAYMENTS_PER_BATCH)
    const hashes = await Promise.all(bodies.map((body) => settle(port, token, body)))
    const receipts = await Promise.all(
      [...new Set(hashes)].map((hash) => client.getTransactionReceipt({ hash })),
    )
    gas.push(receipts.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0) / PAYMENTS_PER_BATCH)
  }
  return gas
}

async function settle(port: number, token: string, body: object): Promise<Hex> {
  const response = await fetch(`http://127.0.0.1:${port}/x402/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { success, transaction } = (await response.json()) as { success: boolean; transaction: Hex }
  if (!success) throw new Error('A settle failed')
  return transaction
}

async function measure(options: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const callers = await createCallers(storage)
  const gas = await measureGas(storage, callers)
  const measured = await measureRates(storage, callers, options)
  const rate = median(measured[1]?.rates ?? [])
  const [alone = 0, batched = 0] = gas
  const saving = 100 - (100 * batched) / alone
  const toFigures = ({ rates, costs }: Rates, index: number): (Figure | null)[] => [
    summarize(rates),
    summarize(costs),
    toFigure(gas[index] ?? 0),
  ]
  return {
    columns: [
      { name: 'settles', unit: 'per second' },
      { name: 'CPU of each', unit: 'µs' },
      { name: 'gas of each', unit: 'count' },
    ],
    rows: callers.map(({ name }, index) => ({
      name,
      figures: toFigures(measured[index] ?? { rates: [], costs: [] }, index),
    })),
    aims: [
      {
        text: `at least ${MIN_RATE} settles per second in batches, at the median of rounds: ${Math.round(rate)}`,
        reached: rate >= MIN_RATE,
      },
      {
        text: `at least ${MIN_GAS_SAVING} % less gas at ${PAYMENTS_PER_BATCH} payments: ${saving.toFixed(1)} %`,
        reached: saving >= MIN_GAS_SAVING,
      },
    ],
  }
}

/**
 * Compares settles that share transactions with those that do not: their rate on a chain without delay, and
 * their gas on anvil.
 */
export const batchesSection: Section = {
  name: 'batches',
  title: 'Settles in batches beside one transaction each: rate on a chain that mines at once, gas on anvil',
  measure,
}
