import { cacheLookup } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { RevertLimits } from '../../ledger/settlements/reserve.ts'
import { isCleared, selectReverted } from '../../ledger/settlements/reverts.ts'
import { findByPayment, paymentKey } from '../../ledger/settlements/settlement.ts'
import type { Payment } from '../../payment/payment.ts'

export interface RevertWaits {
  /**
   * Returns for how many seconds a new payment of the payer and the account must wait. 0 for a payment that
   * already has a settlement: its outcome can always be read.
   */
  getSeconds(payment: Payment, accountId: number): Promise<number>
}

/** Reverted transactions of a payer or an account within the window. */
export interface RecentReverts {
  readonly count: number
  /** Seconds since the newest one was mined. */
  readonly age: number
}

const MAX_WAIT_SECONDS = 600
const CACHE_MS = 1_000

/**
 * Creates the waits that slow payers and accounts down before they are refused at their limits. A wait begins
 * when a transaction reverted, and doubles with every further one. An account, whose payers are many, waits
 * only from half of its limit on. A reverted transaction stops counting after `windowSeconds`. At its limit a
 * payer or an account is refused by the reservation instead.
 *
 * @param firstWaitSeconds The wait after the first counted revert. 0: no waits.
 */
export function createRevertWaits(
  db: Kysely<Tables>,
  limits: RevertLimits,
  firstWaitSeconds: number,
): RevertWaits {
  const { perPayer, perAccount } = limits
  const readReverts = cacheLookup(() => listRecentReverts(db, limits.windowSeconds), { ttlMs: CACHE_MS })
  return {
    async getSeconds(payment, accountId) {
      if (firstWaitSeconds === 0) return 0
      const reverts = await readReverts('all')
      // A payer must not be able to delay what it has not requested.
      const isOfPayer = payment.scheme.revertsCountFor !== 'account'
      const byPayer = isOfPayer ? reverts?.get(`payer/${payment.payer}`) : undefined
      const byAccount = reverts?.get(`account/${accountId}`)
      const seconds = Math.max(
        getWaitSeconds(byPayer, { from: 1, limit: perPayer, firstWaitSeconds }),
        getWaitSeconds(byAccount, { from: Math.ceil(perAccount / 2), limit: perAccount, firstWaitSeconds }),
      )
      if (seconds === 0) return 0
      const settlement = await findByPayment(db, paymentKey(payment))
      return settlement === undefined || settlement.state === 'not_sent' ? seconds : 0
    },
  }
}

interface WaitRule {
  /** The number of reverts from which there is a wait. */
  readonly from: number
  /** The number of reverts from which payments are refused. 0: never. */
  readonly limit: number
  readonly firstWaitSeconds: number
}

/**
 * Returns the rest of a wait that begins with the newest revert and doubles with every one after `from`, up
 * to ten minutes.
 */
export function getWaitSeconds(
  reverts: RecentReverts | undefined,
  { from, limit, firstWaitSeconds }: WaitRule,
): number {
  if (reverts === undefined || reverts.count < from || reverts.count >= limit) return 0
  const wait = Math.min(firstWaitSeconds * 2 ** (reverts.count - from), MAX_WAIT_SECONDS)
  return Math.max(0, Math.ceil(wait - reverts.age))
}

/**
 * Lists reverts by `payer/<address>` and `account/<id>`, without those that an operator cleared. Those that
 * count for the account only are not the payer's.
 */
async function listRecentReverts(
  db: Kysely<Tables>,
  windowSeconds: number,
): Promise<ReadonlyMap<string, RecentReverts>> {
  const { rows } = await sql<{ subject: string; count: number; age: number }>`
    with reverted as (${selectReverted(windowSeconds)}), counted as (
      select 'payer/' || r.payer as subject, count(*) as count, max(r.reverted_at) as newest from reverted r
        where r.reverts_count_for = 'payer'
          and not ${isCleared(sql`'payer/' || r.payer`)} group by r.payer
      union all
      select 'account/' || r.account_id, count(*), max(r.reverted_at) from reverted r
        where not ${isCleared(sql`'account/' || r.account_id`)} group by r.account_id
    )
    select subject, count::int as count, extract(epoch from clock_timestamp() - newest)::float8 as age
    from counted`.execute(db)
  return new Map(rows.map(({ subject, count, age }) => [subject, { count, age }]))
}
