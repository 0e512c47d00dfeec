// A process that reserves one unit at a time until the budget is used up, and prints the id of each
// reservation.
import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { BudgetExceededError, Budgets } from '../state/budgets.ts'
import { openStateDatabase } from '../state/state-database.ts'
import { ASSET_KEY } from './seller.ts'

const [, , stateFile = '', limit = '0'] = process.argv
const state = openStateDatabase(stateFile)
const budgets = new Budgets(
  state,
  { day: new Map([[ASSET_KEY, BigInt(limit)]]), session: new Map() },
  Date.now,
)
try {
  for (;;) {
    const id = randomUUID()
    budgets.reserve({ id, session: 'one', asset: ASSET_KEY, amount: 1n })
    writeSync(1, `${id}\n`)
  }
} catch (error) {
  if (!(error instanceof BudgetExceededError)) throw error
}
state.close()
