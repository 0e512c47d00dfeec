import { randomBytes } from 'node:crypto'
import { createEngine, type Engine, type Tables } from '@mintmark/facilitator-server'
import { createLog, createSealer, createSecretKey, type Database } from '@mintmark/server-kit'
import { somePayment } from '../../facilitator-server/src/engine/testing-engine.ts'
import type { TestAccount } from '../../facilitator-server/src/testing.ts'
import { createWebhooks } from '../../facilitator-server/src/webhooks/index.ts'
import { startStorage } from './facilitator-environment.ts'
import { summarize } from './figures.ts'
import type { Measurement, MeasureOptions, Section } from './section.ts'
import { runLanes } from './statistics.ts'

/** Numbers of concurrent settles, and of the accounts that they are charged to. */
const LOADS = [
  { lanes: 1, accounts: 1 },
  { lanes: 32, accounts: 1 },
  { lanes: 256, accounts: 1 },
  { lanes: 1024, accounts: 1 },
  { lanes: 1024, accounts: 16 },
]
const ACCOUNTS = 16
const COLUMN = 'charges'
const WARM_UP = 1

type Load = (typeof LOADS)[number]

const nameAccounts = (accounts: number) => (accounts === 1 ? 'one account' : `${accounts} accounts`)
const nameLoad = ({ lanes, accounts }: Load) => `${nameAccounts(accounts)}, ${lanes} concurrent`

/** Starts the server's engine with an upstream that settles immediately, and without a chain. */
async function startEngine(stops: AsyncDisposableStack, database: Database<Tables>): Promise<Engine> {
  const webhooks = createWebhooks({
    database,
    sealer: createSealer(createSecretKey('bench')),
    log: createLog('bench', 'error'),
    deliver: false,
  })
  await webhooks.start()
  stops.defer(() => webhooks.stop())
  return createEngine({
    db: database.system,
    findScheme: () => somePayment().scheme,
    upstream: {
      async settle({ network }) {
        const transaction = `0x${randomBytes(32).toString('hex')}`
        return { kind: 'responded', httpStatus: 200, body: { success: true, transaction, network } }
      },
    },
    unreadableNetworks: new Set([somePayment().network]),
    enqueue: webhooks.enqueue,
  })
}

/**
 * Settles one new payment after the other in every lane. Returns the number of charges, and their rate per
 * second.
 */
async function charge(engine: Engine, accounts: readonly TestAccount[], lanes: number, milliseconds: number) {
  const startedAt = performance.now()
  let charges = 0
  await runLanes(lanes, async (lane) => {
    const account = accounts[lane % accounts.length]
    if (account === undefined) throw new Error('There is no account')
    while (performance.now() < startedAt + milliseconds) {
      const { kind } = await engine.settle(somePayment(), { account, api: 'x402' })
      if (kind !== 'settled') throw new Error(`A settle ended ${kind}`)
      charges += 1
    }
  })
  return { charges, rate: (charges * 1000) / (performance.now() - startedAt) }
}

async function measure({ quick, onStep }: MeasureOptions): Promise<Measurement> {
  await using stops = new AsyncDisposableStack()
  const { database, newAccount } = await startStorage(stops)
  const engine = await startEngine(stops, database)
  const hot = await newAccount()
  const others = await Promise.all(Array.from({ length: ACCOUNTS }, newAccount))
  const results = LOADS.map((load) => ({ ...load, rates: [] as number[] }))
  let total = 0
  const rounds = WARM_UP + (quick ? 3 : 7)
  for (let round = 0; round < rounds; round++) {
    for (const { lanes, accounts, rates } of results) {
      const charged = await charge(engine, accounts === 1 ? [hot] : others, lanes, quick ? 500 : 2000)
      total += charged.charges
      if (round >= WARM_UP) rates.push(charged.rate)
    }
    onStep(round + 1, rounds)
  }
  await expectCharges(database, total)
  return {
    columns: [{ name: COLUMN, unit: 'per second' }],
    rows: results.map(({ rates, ...load }) => ({ name: nameLoad(load), figures: [summarize(rates)] })),
    aims: [],
  }
}

/** A rate means nothing unless every settle was charged, once. */
async function expectCharges({ system }: Database<Tables>, expected: number): Promise<void> {
  const { count } = await system
    .selectFrom('facilitator.charges')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) !== expected) throw new Error(`${expected} settles were charged ${count} times`)
}

/**
 * Measures how many settles one account can be charged for, each with a hold and a charge of its own in the
 * ledger.
 */
export const chargesSection: Section = {
  name: 'charges',
  title: 'Charges on one hot account: settles of the engine with an instant upstream, PostgreSQL on disk',
  measure,
}
