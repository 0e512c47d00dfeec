import { type AccountTotals, type AssetTotal, accountTotals } from '@mintmark/facilitator'
import type { Route } from '@mintmark/server-kit'
import { createListAccountDays, type DayTotal, type DayTotals } from '../../ledger/orders/account-totals.ts'
import { type Db, type FacilitatorContext, implement, requireAccount } from '../context/context.ts'

const DEFAULT_DAYS = 30
/** The most assets of a response. */
const MAX_ASSETS = 100

/** Creates the route of an account's totals. */
export function accountTotalsRoutes(db: Db): readonly Route<FacilitatorContext>[] {
  const listAccountDays = createListAccountDays(db)
  return implement(accountTotals, {
    async get({ days = DEFAULT_DAYS }, context) {
      return toAccountTotals(await listAccountDays(requireAccount(context).id, days))
    },
  })
}

function toAccountTotals(days: readonly DayTotals[]): AccountTotals {
  const addCounts = (count: (total: DayTotal) => number) =>
    days.map(({ totals }) => totals.reduce((sum, total) => sum + count(total), 0))
  return {
    days: days.map(({ day }) => day),
    settled: addCounts(({ settled }) => settled),
    failed: addCounts(({ failed }) => failed),
    unresolved: addCounts(({ unresolved }) => unresolved),
    charged: days.map(({ totals }) => addAmounts(totals.map(({ charged }) => charged))),
    assets: listAssets(days),
  }
}

const addAmounts = (amounts: readonly string[]): string =>
  String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))

/** Lists the assets in which payments settled, those with the most payments first. */
function listAssets(days: readonly DayTotals[]): AssetTotal[] {
  const all = days.flatMap(({ day, totals }) => totals.map((total) => ({ day, ...total })))
  const byAsset = Map.groupBy(
    all.filter(({ settled }) => settled > 0),
    ({ network, asset }) => `${network} ${asset}`,
  )
  return [...byAsset.values()]
    .flatMap((ofAsset) => {
      const [first] = ofAsset
      if (first === undefined) return []
      const amounts = new Map(ofAsset.map(({ day, amount }) => [day, amount]))
      return {
        network: first.network,
        asset: first.asset,
        settled: ofAsset.reduce((sum, { settled }) => sum + settled, 0),
        total: addAmounts([...amounts.values()]),
        amounts: days.map(({ day }) => amounts.get(day) ?? '0'),
      }
    })
    .sort((one, other) => other.settled - one.settled)
    .slice(0, MAX_ASSETS)
}
