import type { AnvilClient } from '@mintmark/devkit/chain/chain'
import { sql } from 'kysely'
import type { Address } from 'viem'
import type { Fixture } from './fixture.ts'
import { listOwnTransactions } from './own-transactions.ts'

interface GrantRow {
  readonly payer: string
  readonly amount: bigint
  readonly cost: bigint
  /** The cost without replacements. */
  readonly first_cost: bigint
  readonly account_id: number
  readonly day: string
  readonly hash: string | null
  readonly state: string
}

/** A transfer of native tokens from a signer of the fixture. */
interface GasTransfer {
  readonly hash: string
  readonly to: string
  readonly value: bigint
  /** The wei that it cost the signer, with its gas. */
  readonly cost: bigint
}

/** The grants of a run, and the transfers of gas on its chain. */
export interface GrantFacts {
  readonly grants: readonly GrantRow[]
  readonly transfers: readonly GasTransfer[]
  /** The recorded costs, by account. The replacement of a grant may be of a later day. */
  readonly totals: ReadonlyMap<number, bigint>
  readonly perDay: bigint
  readonly wallets: ReadonlySet<string>
}

interface GrantInvariant {
  readonly name: string
  /** Lists what violates it. */
  list(facts: GrantFacts): readonly string[]
}

const dayKey = ({ account_id: account, day }: GrantRow): string => `${account} ${day}`

/** What must hold for the gas that wallets received when the chain is final. */
export const GRANT_INVARIANTS: readonly GrantInvariant[] = [
  {
    name: 'a wallet receives gas once',
    list: ({ transfers }) =>
      [...Map.groupBy(transfers, ({ to }) => to)].flatMap(([to, own]) =>
        own.length > 1 ? [`${to} received gas ${own.length} times`] : [],
      ),
  },
  {
    name: 'only payers receive gas',
    list: ({ transfers, wallets }) =>
      transfers.filter(({ to }) => !wallets.has(to)).map(({ hash, to }) => `${hash} gives gas to ${to}`),
  },
  {
    name: 'each transfer of gas is a grant',
    list({ transfers, grants }) {
      const byHash = new Map(grants.map((grant) => [grant.hash, grant]))
      return transfers.flatMap(({ hash, to, value }) => {
        const grant = byHash.get(hash)
        return grant?.payer === to && grant.amount === value ? [] : [`${hash} is no grant`]
      })
    },
  },
  {
    name: 'each grant is one transfer of gas',
    list({ transfers, grants }) {
      const sent = new Set(transfers.map(({ hash }) => hash))
      return grants
        .filter(({ hash, state }) => hash === null || !sent.has(hash) || state !== 'final')
        .map(({ payer, hash, state }) => `the grant of ${payer} is ${state} in ${hash}`)
    },
  },
  {
    name: 'a grant counts at least what it cost',
    list({ transfers, grants }) {
      const costs = new Map(transfers.map(({ hash, cost }) => [hash, cost]))
      return grants
        .filter(({ hash, cost }) => cost < (costs.get(hash ?? '') ?? 0n))
        .map(({ payer, cost }) => `the grant of ${payer} counts ${cost} and cost more`)
    },
  },
  {
    name: 'the totals of an account are the sum of its grants',
    list({ grants, totals }) {
      const sums = new Map<number, bigint>()
      for (const { account_id: account, cost } of grants) sums.set(account, (sums.get(account) ?? 0n) + cost)
      return [...new Set([...sums.keys(), ...totals.keys()])]
        .filter((account) => (sums.get(account) ?? 0n) !== (totals.get(account) ?? 0n))
        .map(
          (account) =>
            `account ${account}: the grants cost ${sums.get(account)}, and the totals are ${totals.get(account)}`,
        )
    },
  },
  {
    name: 'the grants of a day are within its limit, except for replacements',
    list: ({ grants, perDay }) =>
      [...Map.groupBy(grants, dayKey)]
        .map(([key, own]) => [key, own.reduce((sum, grant) => sum + grant.first_cost, 0n)] as const)
        .filter(([, cost]) => cost > perDay)
        .map(([key, cost]) => `${key} has ${cost}`),
  },
]

/** Compares grants of gas with the chain. Returns one sentence for each contradiction. */
export async function findGrantProblems(
  fixture: Fixture,
  client: AnvilClient,
  { perDay, wallets }: { perDay: bigint; wallets: readonly { readonly address: Address }[] },
): Promise<string[]> {
  const facts = {
    grants: await listGrants(fixture),
    transfers: await listGasTransfers(fixture, client),
    totals: await readTotals(fixture),
    perDay,
    wallets: new Set(wallets.map(({ address }) => address.toLowerCase())),
  }
  if (facts.transfers.length === 0) return ['no wallet received gas, so that the run shows nothing']
  return GRANT_INVARIANTS.flatMap(({ name, list }) => list(facts).map((found) => `${name}: ${found}`))
}

async function listGrants({ db }: Fixture): Promise<GrantRow[]> {
  type Amounts = 'amount' | 'cost' | 'first_cost'
  const { rows } = await sql<Omit<GrantRow, Amounts> & Record<Amounts, string>>`
    select g.payer, g.amount, g.cost, g.account_id, t.hash, t.state,
      g.amount + t.gas * (select min(a.max_fee_per_gas) from facilitator.transaction_attempts a
        where a.transaction_id = t.id) as first_cost,
      to_char(g.created_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from facilitator.approval_grants g join facilitator.transactions t on t.id = g.transaction_id`.execute(db)
  return rows.map((row) => ({
    ...row,
    amount: BigInt(row.amount),
    cost: BigInt(row.cost),
    first_cost: BigInt(row.first_cost),
  }))
}

async function readTotals({ db }: Fixture): Promise<Map<number, bigint>> {
  const { rows } = await sql<{ account_id: number; cost: string }>`
    select account_id, sum(cost) as cost from facilitator.approval_grant_totals group by account_id`.execute(
    db,
  )
  return new Map(rows.map(({ account_id: account, cost }) => [account, BigInt(cost)]))
}

async function listGasTransfers(fixture: Fixture, client: AnvilClient): Promise<GasTransfer[]> {
  const transactions = await listOwnTransactions(fixture, client)
  return transactions.flatMap(({ hash, to, value, receipt: { gasUsed, effectiveGasPrice } }) =>
    value === 0n || to === null
      ? []
      : [{ hash, to: to.toLowerCase(), value, cost: value + gasUsed * effectiveGasPrice }],
  )
}
