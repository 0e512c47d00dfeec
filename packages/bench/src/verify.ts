import { devAccount } from '@mintmark/devkit/chain/accounts'
import { startDevChain } from '@mintmark/devkit/chain/start'
import {
  type FacilitatorStorage,
  signBodies,
  startFacilitator,
  startStorage,
} from './facilitator-environment.ts'
import { type Row, summarize } from './figures.ts'
import {
  CONNECTIONS,
  type Contestant,
  compareUnderLoad,
  formatRequest,
  LOAD_COLUMNS,
  listRatios,
  type Round,
  summarizeRounds,
} from './load-runs.ts'
import { nextMessage, startChild, startChildServer } from './processes.ts'
import type { Aim, Measurement, MeasureOptions, Section } from './section.ts'
import { median } from './statistics.ts'

/** Our rate as a multiple of the reference's. */
const MIN_RATIO_ANVIL = 2
const MIN_RATIO_STUBBED = 4

function createRequests(path: string, bodies: readonly object[], headers: Record<string, string>): string[] {
  return bodies.map((body) => formatRequest('POST', path, headers, JSON.stringify(body)))
}

async function startReference(
  stops: AsyncDisposableStack,
  rpcUrl: string,
  bodies: readonly object[],
): Promise<Contestant> {
  const child = startChild(stops, 'reference-facilitator.ts', [rpcUrl])
  const port = await nextMessage<number>(child)
  return {
    port,
    requests: createRequests('/verify', bodies, {}),
    readCpuSeconds() {
      child.send('read')
      return nextMessage<number>(child)
    },
  }
}

interface Comparison {
  readonly storage: FacilitatorStorage
  readonly token: string
  readonly bodies: readonly object[]
  readonly quick: boolean
  /** Is called after each round. */
  onRound(round: number, total: number): void
}

/** Both facilitators verify the same payments on one chain, in turns. */
async function compareOn(
  rpcUrl: string,
  settings: Readonly<Record<string, string>>,
  { storage, token, bodies, quick, onRound }: Comparison,
): Promise<readonly [Round[], Round[]]> {
  await using stops = new AsyncDisposableStack()
  const reference = await startReference(stops, rpcUrl, bodies)
  const FACILITATOR_SIGNER_KEYS = devAccount(9).privateKey
  const port = await startFacilitator(stops, storage, rpcUrl, { FACILITATOR_SIGNER_KEYS, ...settings })
  const requests = createRequests('/x402/verify', bodies, { authorization: `Bearer ${token}` })
  const plan = { rounds: quick ? 5 : 11, warmUp: 2, milliseconds: quick ? 700 : 2000, onRound }
  return await compareUnderLoad([reference, { port, requests }], { ...plan, expected: '"isValid":true' })
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const storage = await startStorage(stops)
  const { token } = await storage.newAccount()
  const bodies = await signBodies(quick ? 500 : 2000)
  const comparison = { storage, token, bodies, quick }

  const chain = await startDevChain({ port: 0 })
  stops.defer(() => chain.stop())
  const onAnvil = await compareOn(
    chain.rpcUrl,
    {},
    { ...comparison, onRound: (round, total) => onStep(round, 2 * total) },
  )
  await chain.stop()
  const stub = await startChildServer(stops, 'stub-chain.ts')
  // Deposits are on another chain, because the stub has no blocks.
  const onStub = await compareOn(
    `http://127.0.0.1:${stub}`,
    { TREASURY_CHAIN: '1' },
    { ...comparison, onRound: (round, total) => onStep(total + round, 2 * total) },
  )

  const tables = [
    describe('with anvil', onAnvil, MIN_RATIO_ANVIL),
    describe('with the chain stubbed', onStub, MIN_RATIO_STUBBED),
  ]
  return {
    columns: [...LOAD_COLUMNS, { name: 'of the reference', unit: '×' }],
    rows: tables.flatMap(({ rows }) => rows),
    aims: tables.map(({ aim }) => aim),
  }
}

function describe(
  name: string,
  [reference, ours]: readonly [Round[], Round[]],
  minRatio: number,
): { rows: readonly Row[]; aim: Aim } {
  const ratios = listRatios(ours, reference)
  const ratio = median(ratios)
  const formatted = `${ratio.toFixed(2)} ×`
  return {
    rows: [
      { name: `reference, ${name}`, figures: [...summarizeRounds(reference), null] },
      { name: `ours, ${name}`, figures: [...summarizeRounds(ours), summarize(ratios)] },
    ],
    aim: {
      text: `at least ${minRatio} × the reference ${name}, at the median of rounds: ${formatted}`,
      reached: ratio >= minRatio,
    },
  }
}

/** Compares the rate of our verify with that of the x402 packages' own facilitator, both over HTTP. */
export const verifySection: Section = {
  name: 'verify',
  title: `Verify under load: ${CONNECTIONS} connections, distinct signed payments, responses per second`,
  measure,
}
