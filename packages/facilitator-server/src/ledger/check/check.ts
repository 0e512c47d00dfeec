import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import { formatEther } from 'viem'
import type { Tables } from '../../database/tables.ts'
import { compareTreasury, type TreasuryBalance } from './treasury.ts'

/** A violation of an invariant. */
export interface LedgerProblem {
  /** The violated invariant. */
  readonly invariant: string
  readonly detail: string
}

export interface LedgerReport {
  readonly problems: readonly LedgerProblem[]
  /** Sums of the entries in wei. */
  readonly totals: Readonly<
    Record<'available' | 'held' | 'revenue' | 'suspense' | 'receivable' | 'granted' | 'external', bigint>
  >
  /** What accounts have left of their trials, in wei. Settles are charged to the trial first. */
  readonly trials: bigint
  /** What payers are owed, in wei: available, held and suspended amounts without trials, which nobody paid. */
  readonly liabilities: bigint
}

/** Each query lists the violations of one invariant, as messages that name the row. */
const INVARIANTS: readonly { readonly name: string; readonly violations: string }[] = [
  {
    name: 'the balance of an account equals its entries',
    violations: `
      select format('account %s has %s available, its entries sum to %s', a.id, a.available, coalesce(e.total, 0)) as detail
      from facilitator.accounts a
      left join (select account_id, sum(amount) as total from facilitator.ledger_entries
        where ledger_account = 'available' group by account_id) e on e.account_id = a.id
      where a.available <> coalesce(e.total, 0)`,
  },
  {
    name: 'transfers belong to existing accounts',
    violations: `
      select format('transfer %s belongs to account %s, which does not exist', t.id, t.account_id) as detail
      from facilitator.ledger_transfers t
      where t.account_id is not null and not exists (select from facilitator.accounts a where a.id = t.account_id)`,
  },
  {
    name: 'settlements belong to existing accounts and their quotas',
    violations: `
      select format('settlement %s belongs to account %s and quota %s, which do not exist together', s.id, s.account_id,
        s.quota_id) as detail
      from facilitator.settlements s
      where not exists (select from facilitator.accounts a join facilitator.payer_quotas q on q.account_id = a.id
        where a.id = s.account_id and q.id = s.quota_id)`,
  },
  {
    name: 'the use of a quota equals its holds without the released and refunded ones',
    violations: `
      select format('quota %s has %s used, its transfers sum to %s', q.id, q.used, coalesce(t.total, 0)) as detail
      from facilitator.payer_quotas q
      left join (select quota_id, sum(case kind when 'hold' then amount when 'capture' then 0 else -amount end) as total
        from facilitator.ledger_transfers where quota_id is not null group by quota_id) t on t.quota_id = q.id
      where q.used <> coalesce(t.total, 0)`,
  },
  {
    name: "the ledger account of a settlement's price matches its row",
    violations: `
      select format('settlement %s is %s and %s, its transfers sum to held %s, revenue %s', s.id, s.state, s.hold,
        coalesce(e.held, 0), coalesce(e.revenue, 0)) as detail
      from facilitator.settlements s
      left join (select settlement_id, sum(amount) filter (where ledger_account = 'held') as held,
          sum(amount) filter (where ledger_account = 'revenue') as revenue
        from facilitator.ledger_entries where settlement_id is not null group by settlement_id) e
        on e.settlement_id = s.id
      where coalesce(e.held, 0) <> case s.hold when 'held' then s.price else 0 end
        or coalesce(e.revenue, 0) <> case s.hold when 'captured' then s.price else 0 end`,
  },
  {
    name: 'transfers of settlements match an existing settlement, its account and its quota',
    violations: `
      select format('transfer %s does not match settlement %s', t.id, t.settlement_id) as detail
      from facilitator.ledger_transfers t left join facilitator.settlements s on s.id = t.settlement_id
      where t.settlement_id is not null
        and (s.id is null or t.account_id <> s.account_id or t.reservation > s.reservation
          or (t.reservation = s.reservation and (t.quota_id <> s.quota_id or t.amount <> s.price)))`,
  },
  {
    name: 'an earlier reservation of a settlement was released completely, in the quota of its hold',
    violations: `
      select format('settlement %s has %s left of its reservation %s in quota %s', t.settlement_id,
        sum(case t.kind when 'hold' then t.amount else -t.amount end), t.reservation, t.quota_id) as detail
      from facilitator.ledger_transfers t join facilitator.settlements s on s.id = t.settlement_id
      where t.reservation < s.reservation
      group by t.settlement_id, t.reservation, t.quota_id
      having sum(case t.kind when 'hold' then t.amount else -t.amount end) <> 0 or bool_or(t.kind = 'capture')`,
  },
  {
    name: 'every charge has a capture, and every capture a charge',
    violations: `
      select format('settlement %s has a charge of %s and a capture of %s', coalesce(c.settlement_id, t.settlement_id),
        coalesce(c.amount, 0), coalesce(t.amount, 0)) as detail
      from facilitator.charges c
      full join (select * from facilitator.ledger_transfers where kind = 'capture') t
        on t.settlement_id = c.settlement_id
      where c.amount is distinct from t.amount or c.account_id is distinct from t.account_id`,
  },
  {
    name: 'every settled settlement was charged',
    violations: `
      select format('settlement %s settled without a charge', s.id) as detail from facilitator.settlements s
      where s.state = 'settled' and not exists (select from facilitator.charges c where c.settlement_id = s.id)`,
  },
  {
    name: 'nothing is charged without a 2xx of the upstream or a payment',
    violations: `
      select format('settlement %s failed without a response of the upstream, and is charged', s.id) as detail
      from facilitator.settlements s where s.state = 'failed' and s.hold = 'captured' and not s.upstream_responded`,
  },
  {
    name: 'the totals of an account equal its settlements',
    violations: `
      select format('account %s has totals of %s settled, %s failed and %s charged, its settlements sum to %s, %s and %s',
        account_id, t.settled, t.failed, t.charged, s.settled, s.failed, s.charged) as detail
      from (select account_id, count(*) filter (where state = 'settled') as settled,
          count(*) filter (where state = 'failed') as failed,
          coalesce(sum(price) filter (where hold = 'captured'), 0) as charged,
          coalesce(sum(amount) filter (where state = 'settled'), 0) as amount,
          coalesce(sum(refund_amount) filter (where state = 'settled'), 0) as refunded
        from facilitator.settlements group by account_id) s
      full join (select account_id, sum(settled) as settled, sum(failed) as failed, sum(charged) as charged,
          sum(amount) as amount, sum(refunded) as refunded
        from facilitator.account_totals group by account_id) t using (account_id)
      where (coalesce(t.settled, 0), coalesce(t.failed, 0), coalesce(t.charged, 0), coalesce(t.amount, 0), coalesce(t.refunded, 0))
        is distinct from
        (coalesce(s.settled, 0), coalesce(s.failed, 0), coalesce(s.charged, 0), coalesce(s.amount, 0), coalesce(s.refunded, 0))`,
  },
  {
    name: 'a deposit is credited completely, or reversed completely',
    violations: `
      select format('deposit %s of %s has transfers of %s', d.id, d.amount, coalesce(t.total, 0)) as detail
      from facilitator.deposits d
      left join (select deposit_id, sum(case when debit = 'external' then amount when credit = 'external' then -amount
          else 0 end) as total from facilitator.ledger_transfers where deposit_id is not null group by deposit_id) t
        on t.deposit_id = d.id
      where coalesce(t.total, 0) <> case when d.reversed_at is null then d.amount else 0 end`,
  },
  {
    name: 'a trial was credited to its account',
    violations: `
      select format('account %s has a trial of %s, and the facilitator credited it with %s', o.account_id, o.credit,
        coalesce(t.total, 0)) as detail
      from facilitator.account_openings o
      left join (select account_id, sum(amount) as total from facilitator.ledger_transfers
        where kind = 'credit' and actor = 'facilitator' group by account_id) t on t.account_id = o.account_id
      where o.credit <> coalesce(t.total, 0)`,
  },
]

export interface LedgerCheckOptions {
  /** The treasury contract's present balance in wei. Must cover the liabilities to payers. */
  readonly treasury?: bigint
  /** The treasury's balance at a final block. The credited deposits must explain it. */
  readonly treasuryAtBlock?: TreasuryBalance | undefined
  /** Wei in the treasury that, according to the operator, are not deposits. Default 0. */
  readonly surplus?: bigint
}

/**
 * Checks the ledger in one snapshot: balances against entries, settlements against transfers and charges, and
 * the treasury's balances if they are given.
 */
export async function checkLedger(
  db: Kysely<Tables>,
  { treasury, treasuryAtBlock, surplus }: LedgerCheckOptions = {},
): Promise<LedgerReport> {
  return transaction(
    db,
    async (trx) => {
      const problems: LedgerProblem[] = []
      for (const { name, violations } of INVARIANTS) {
        const { rows } = await sql<{ detail: string }>`${sql.raw(violations)} limit 100`.execute(trx)
        problems.push(...rows.map(({ detail }) => ({ invariant: name, detail })))
      }
      const { rows } = await sql<{ ledger_account: keyof LedgerReport['totals']; total: string }>`
        select ledger_account, sum(amount) as total from facilitator.ledger_entries group by ledger_account`.execute(
        trx,
      )
      const sums = new Map(rows.map(({ ledger_account, total }) => [ledger_account, BigInt(total)]))
      const total = (name: keyof LedgerReport['totals']) => sums.get(name) ?? 0n
      const totals = {
        available: total('available'),
        held: total('held'),
        revenue: total('revenue'),
        suspense: total('suspense'),
        receivable: total('receivable'),
        granted: total('granted'),
        external: total('external'),
      }
      const sum = Object.values(totals).reduce((left, right) => left + right, 0n)
      if (sum !== 0n) problems.push({ invariant: 'entries sum to zero', detail: `the entries sum to ${sum}` })
      const trials = await readTrials(trx)
      const owed = totals.available + totals.held + totals.suspense - trials
      if (treasury !== undefined && treasury < owed) {
        const detail = `the treasury has ${formatEther(treasury)} native tokens, and payers are owed ${formatEther(owed)}`
        problems.push({ invariant: 'the treasury covers the liabilities to payers', detail })
      }
      if (treasuryAtBlock !== undefined) {
        problems.push(...(await checkTreasury(trx, treasuryAtBlock, surplus)))
      }
      return { problems, totals, trials, liabilities: owed }
    },
    { isolation: 'repeatable read', readOnly: true },
  )
}

/** Reads what accounts have left of their trials. */
async function readTrials(trx: Kysely<Tables>): Promise<bigint> {
  const { rows } = await sql<{ total: string }>`
    select coalesce(sum(greatest(o.credit - coalesce(e.revenue, 0), 0)), 0) as total
    from facilitator.account_openings o
    left join (select account_id, sum(amount) as revenue from facilitator.ledger_entries
      where ledger_account = 'revenue' group by account_id) e on e.account_id = o.account_id
    where o.credit is not null`.execute(trx)
  return BigInt(rows[0]?.total ?? 0)
}

async function checkTreasury(
  trx: Kysely<Tables>,
  treasury: TreasuryBalance,
  surplus: bigint | undefined,
): Promise<LedgerProblem[]> {
  const { balance, block, credited, withdrawn, unexplained } = await compareTreasury(trx, treasury, surplus)
  if (unexplained === 0n) return []
  const cause =
    unexplained > 0n
      ? `${formatEther(unexplained)} more than that: a deposit was not credited, or ether arrived without one`
      : `${formatEther(-unexplained)} less than that: a credited deposit is not on the chain`
  const detail = `at block ${block} the treasury has ${formatEther(balance)} native tokens, ${formatEther(credited)} were credited and ${formatEther(withdrawn)} withdrawn, ${cause}`
  return [{ invariant: 'credited deposits explain the balance of the treasury', detail }]
}
