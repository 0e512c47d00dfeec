import { createSeedRunner } from '@mintmark/devkit/simulation/seed-runner'
import { drain, runSteps } from '@mintmark/devkit/simulation/world'
import { openDatabase } from '@mintmark/server-kit'
import { facilitatorSchema } from '../database/schema.ts'
import type { Tables } from '../database/tables.ts'
import { allow, price } from '../engine/testing-engine.ts'
import { createAccount, creditAccount } from '../ledger/accounts/accounts.ts'
import type { PayingAccount } from '../ledger/settlements/reserve.ts'
import { reasons } from '../payment/reasons.ts'
import { readFacts } from './facts.ts'
import { ACCOUNT_MEANS, checkInvariants } from './invariants.ts'
import { createPlan } from './plan.ts'
import { quiesce } from './quiescence.ts'
import type { SimulatedFacilitator } from './simulated-facilitator.ts'
import { ACCOUNT_WALLETS } from './wallets.ts'
import { createWorld, type World } from './world.ts'
import { runEvent } from './world-events.ts'

/** Runs simulations of facilitators. */
export const createFacilitatorRunner = () =>
  createSeedRunner<Tables, PayingAccount[]>({
    schema: facilitatorSchema,
    prepare: createAccounts,
    async run(seed, { isCalm, log, database, rows: accounts }) {
      const plan = createPlan(seed, { isCalm })
      log?.(JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? value.toString() : value)))
      const world = await createWorld(plan, { database, accounts, ...(log && { log }) })
      const problems = await runWorld(world)
      const { settlements, deposits } = await readFacts(world)
      const countIn = (name: string) => settlements.filter(({ state }) => state === name).length
      const counts = {
        settled: countIn('settled'),
        failed: countIn('failed'),
        notSent: countIn('not_sent'),
        deposits: deposits.length,
        conflicts: world.outcomes.filter(
          ({ outcome }) => outcome.kind === 'refused' && outcome.reason === reasons.identifierConflict,
        ).length,
      }
      return { problems, simulation: world.simulation, counts }
    },
  })

async function runWorld(world: World): Promise<string[]> {
  const { simulation, plan } = world
  await runSteps(world, plan, () => runEvent(world))
  const survivor = await quiesce(world)
  if (survivor === undefined) return ['every call ends: a settle or a job did not end']
  const problems = checkInvariants(world, await readFacts(world))
  const audited = plan.seed % SEEDS_PER_AUDIT === 0 ? await auditWorld(world, survivor) : []
  for (const { process } of world.facilitators) await simulation.crash(process)
  return [...problems, ...audited]
}

/** The audit executes more statements than a usual simulation. */
const SEEDS_PER_AUDIT = 4
/** Runs the product's own audit, which contains the ledger check. */
async function auditWorld(world: World, facilitator: SimulatedFacilitator): Promise<string[]> {
  world.pending += 1
  let found: string[] = []
  const end = () => {
    world.pending -= 1
  }
  facilitator.audit().then(
    (problems) => {
      const relevant = problems.filter(({ kind }) => kind !== 'signers' || !world.hasForeignTransactions)
      found = relevant.map(({ kind, detail }) => `the audit finds nothing: ${kind}: ${detail}`)
      end()
    },
    (error: unknown) => {
      found = [`the audit finds nothing: ${error}`]
      end()
    },
  )
  return (await drain(world)) ? found : ['every call ends: the audit did not end']
}

async function createAccounts(url: string): Promise<PayingAccount[]> {
  const opened = openDatabase<Tables>({ url, role: facilitatorSchema.role, max: 1 })
  const accounts: PayingAccount[] = []
  try {
    for (const [index, { settles, quota }] of ACCOUNT_MEANS.entries()) {
      const { id, payer } = await createAccount(opened.system, { payer: ACCOUNT_WALLETS[index] ?? '' })
      const operator = { actor: 'simulation', reason: 'means to pay' }
      await creditAccount(opened.system, { account: id, amount: price * BigInt(settles), ...operator })
      await allow(opened.system, { id, payer }, { settles: quota, nonce: 0n })
      accounts.push({ id, payer })
    }
  } finally {
    await opened.close()
  }
  return accounts
}
