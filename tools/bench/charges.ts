import { randomBytes } from 'node:crypto'
import { createEngine, type Engine, type Tables } from '@mintmark/facilitator-server'
import { createLog, createSealer, createSecretKey, type Database } from '@mintmark/server-kit'
import { somePayment } from '../../packages/facilitator-server/src/payments/testing-engine.ts'
import type { TestAccount } from '../../packages/facilitator-server/src/testing.ts'
import { createWebhooks } from '../../packages/facilitator-server/src/webhooks/index.ts'
import { openFacilitator, prepareFacilitator, richAccount } from './paying-account.ts'
import { startDatabase } from './processes.ts'
import { type Measured, median, type Section } from './section.ts'

/** Concurrent settles, and the accounts that they are charged to. */
interface Load {
  readonly lanes: number
  readonly accounts: number
}

const loads: readonly Load[] = [
  { lanes: 1, accounts: 1 },
  { lanes: 32, accounts: 1 },
  { lanes: 256, accounts: 1 },
  { lanes: 1024, accounts: 1 },
  { lanes: 1024, accounts: 16 },
]

/** The server's engine with an upstream that settles immediately, and without a chain. */
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

/** Charges a second while every lane settles one new payment after the other. */
async function charge(engine: Engine, accounts: readonly TestAccount[], lanes: number, milliseconds: number) {
  const started = performance.now()
  const until = started + milliseconds
  let charged = 0
  const lane = async (account: TestAccount) => {
    while (performance.now() < until) {
      const { kind } = await engine.settle(somePayment(), { account, api: 'x402' })
      if (kind !== 'settled') throw new Error(`a settle ended ${kind}`)
      charged += 1
    }
  }
  await Promise.all(
    Array.from({ length: lanes }, async (_, index) => {
      const account = accounts[index % accounts.length]
      if (account !== undefined) await lane(account)
    }),
  )
  return { charged, rate: (charged * 1000) / (performance.now() - started) }
}

async function measure({ quick }: { quick: boolean }): Promise<Measured> {
  await using stops = new AsyncDisposableStack()
  const url = await startDatabase(stops)
  await prepareFacilitator(url)
  const database = openFacilitator(url)
  stops.defer(() => database.close())
  const engine = await startEngine(stops, database)
  const hot = await richAccount(database)
  const many = await Promise.all(Array.from({ length: 16 }, () => richAccount(database)))
  const rates = loads.map((): number[] => [])
  let charged = 0
  const warmUp = 1
  for (let round = 0; round < warmUp + (quick ? 3 : 7); round++) {
    for (const [index, { lanes, accounts }] of loads.entries()) {
      const made = await charge(engine, accounts === 1 ? [hot] : many, lanes, quick ? 500 : 2000)
      charged += made.charged
      if (round >= warmUp) rates[index]?.push(made.rate)
    }
  }
  await expectCharges(database, charged)
  return {
    columns: ['charges per second', 'slowest round', 'fastest round'],
    rows: loads.map(({ lanes, accounts }, index) => {
      const each = rates[index] ?? []
      const figures = [median(each), Math.min(...each), Math.max(...each)].map((value) => value.toFixed(0))
      return {
        name: `${accounts === 1 ? 'one account' : `${accounts} accounts`}, ${lanes} concurrent`,
        figures,
      }
    }),
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

/** How many settles one account can be charged for, each a hold and a charge of its own in the ledger. */
export const chargesSection: Section = {
  name: 'charges',
  title: 'Charges on one hot account: settles of the engine with an instant upstream, PostgreSQL on disk',
  measure,
}
