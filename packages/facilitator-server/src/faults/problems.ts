import type { RunningProcess } from '@mintmark/devkit/process-pool'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { settlePrice } from '../testing.ts'
import { readFacts, type SettlementRow } from './facts.ts'
import type { Fixture } from './fixture.ts'
import type { FacilitatorPool } from './process-pool.ts'

/** More than the settles of a run. */
export const CREDITED_SETTLES = 100_000

/**
 * Compares the chain, the settlements and the charges after a run. Returns one sentence for each
 * contradiction.
 */
export async function findProblems(
  fixture: Fixture,
  { pool, survivor }: { pool: FacilitatorPool; survivor: RunningProcess },
): Promise<string[]> {
  const facts = await readFacts(fixture, survivor.url)
  const problems = [
    ...fixture.surprises,
    ...(await fixture.load.findProblems(fixture, facts)),
    ...(await findAccountProblems(fixture, facts.settlements)),
    ...(await runChecks(fixture, pool)),
  ]
  return problems.map((problem) => `${fixture.name}: ${problem}`)
}

async function findAccountProblems(
  { accounts, db }: Fixture,
  settlements: readonly SettlementRow[],
): Promise<string[]> {
  const problems: string[] = []
  for (const { id } of accounts) {
    const charges = settlements.filter((row) => row.account_id === id && row.charge !== null)
    const { available, held } = await getAccount(db, id)
    const due = settlePrice * BigInt(CREDITED_SETTLES - charges.length)
    if (available !== due || held !== 0n)
      problems.push(`account ${id} has ${available} and ${held} held, not ${due}`)
  }
  return problems
}

/** Runs the operator's commands. Returns the problems that they report. */
async function runChecks(fixture: Fixture, pool: FacilitatorPool): Promise<string[]> {
  // A remote upstream pays from its own wallet, so the commands get its key to find those payments.
  const env = { ...fixture.env, UPSTREAM_FACILITATOR_URL: '' }
  const problems: string[] = []
  for (const command of ['ledger check', 'settlements audit --from-block 0']) {
    try {
      await pool.runCommand(command.split(' '), env)
    } catch (error) {
      // `promisify(execFile)` rejects with an error that has these fields.
      const { message, stdout } = error as Record<'message' | 'stdout', string>
      problems.push(`${message}${stdout}`)
    }
  }
  return problems
}
