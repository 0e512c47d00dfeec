import { type AssetTotal, accountTotals, type NetworkTotal, type ResourceTotal } from '@mintmark/facilitator'
import type { Route } from '@mintmark/server-kit'
import { readSpendable } from '../../ledger/accounts/spendable.ts'
import { type AccountDays, createListAccountDays, type DayTotal } from '../../ledger/orders/account-totals.ts'
import { type Db, type FacilitatorContext, implement, requireAccount } from '../context/context.ts'

const DEFAULT_DAYS = 30
/** The most assets of a response. */
const MAX_ASSETS = 100

/** Creates the route of an account's totals. */
export function accountTotalsRoutes(db: Db, settlePrice: bigint): readonly Route<FacilitatorContext>[] {
  const listAccountDays = createListAccountDays(db)
  return implement(accountTotals, {
    async get({ days = DEFAULT_DAYS }, context) {
      const account = requireAccount(context)
      const { quota, ...spendable } = await readSpendable(db, account.id)
      const found = await listAccountDays(account.id, days)
      const assets = listAssets(found)
      return {
        payer: account.payer,
        balance: spendable.balance,
        ...(quota !== null && { quotaRemaining: quota }),
        settlePrice: settlePrice.toString(),
        settlesLeft: countSettles({ quota, ...spendable }, settlePrice),
        isFrozen: spendable.isFrozen,
        ...listDays(found),
        assets,
        resources: listResources(found, assets),
        networks: listNetworks(found),
      }
    },
  })
}

/** Counts the settles that an account can pay. Nobody has more than an exact number of them. */
function countSettles(
  { balance, quota, isFrozen }: { balance: string; quota: string | null; isFrozen: boolean },
  price: bigint,
): number {
  if (isFrozen || quota === null) return 0
  const [available, allowed] = [BigInt(balance), BigInt(quota)]
  const spendable = available < allowed ? available : allowed
  return Math.min(Number(spendable / price), Number.MAX_SAFE_INTEGER)
}

function listDays({ days, totals }: AccountDays) {
  const byDay = Map.groupBy(totals, ({ day }) => day)
  const ofDays = days.map((day) => byDay.get(day) ?? [])
  return {
    days: [...days],
    settled: ofDays.map(countSettled),
    failed: ofDays.map(countFailed),
    unresolved: ofDays.map(countUnresolved),
    charged: ofDays.map(addCharges),
  }
}

const createCount = (count: (total: DayTotal) => number) => (totals: readonly DayTotal[]) =>
  totals.reduce((sum, total) => sum + count(total), 0)
const countSettled = createCount(({ settled }) => settled)
const countFailed = createCount(({ failed }) => failed)
const countUnresolved = createCount(({ unresolved }) => unresolved)

const addAmounts = (amounts: readonly string[]): string =>
  String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n))
const addCharges = (totals: readonly DayTotal[]) => addAmounts(totals.map(({ charged }) => charged))

const toKey = ({ network, asset }: Pick<DayTotal, 'network' | 'asset'>) => `${network} ${asset}`

/** Lists the assets in which payments settled or may settle, those with the most payments first. */
function listAssets({ days, totals }: AccountDays): AssetTotal[] {
  const paid = totals.filter(({ settled, unresolved }) => settled > 0 || unresolved > 0)
  return [...Map.groupBy(paid, toKey).values()]
    .flatMap((ofAsset) => {
      const [first] = ofAsset
      if (first === undefined) return []
      const amounts = new Map(ofAsset.map(({ day, amount }) => [day, amount]))
      return {
        network: first.network,
        asset: first.asset,
        settled: countSettled(ofAsset),
        total: addAmounts([...amounts.values()]),
        unresolved: countUnresolved(ofAsset),
        unresolvedTotal: addAmounts(ofAsset.map(({ unresolvedAmount }) => unresolvedAmount)),
        refunded: addAmounts(ofAsset.map(({ refunded }) => refunded)),
        amounts: days.map((day) => amounts.get(day) ?? '0'),
      }
    })
    .sort((one, other) => other.settled - one.settled)
    .slice(0, MAX_ASSETS)
}

/** Lists the resources of the assets, in their order. */
function listResources({ resources }: AccountDays, assets: readonly AssetTotal[]): ResourceTotal[] {
  const byAsset = Map.groupBy(resources, toKey)
  return assets.flatMap((each) =>
    (byAsset.get(toKey(each)) ?? []).map(({ resource, settled, amount, network, asset }) => ({
      resource,
      settled,
      total: amount,
      network,
      asset,
    })),
  )
}

function listNetworks({ totals }: AccountDays): NetworkTotal[] {
  return [...Map.groupBy(totals, ({ network }) => network)]
    .map(([network, ofNetwork]) => ({
      network,
      settled: countSettled(ofNetwork),
      failed: countFailed(ofNetwork),
      unresolved: countUnresolved(ofNetwork),
      charged: addCharges(ofNetwork),
    }))
    .sort((one, other) => other.settled - one.settled)
}
