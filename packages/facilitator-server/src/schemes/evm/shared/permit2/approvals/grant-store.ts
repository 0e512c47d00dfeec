import { isUniqueViolation, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { allocateNonce } from '../../../../../chains/evm/transactions/nonce-store.ts'
import {
  type Attempt,
  addGrantTransaction,
  addReplacement,
  type Call,
  findById,
  type StoredTransaction,
} from '../../../../../chains/evm/transactions/transaction-store.ts'
import type { Store } from '../../../../../database/store.ts'

/** The wallet and the token of an approval. */
export interface GrantKey {
  readonly chainId: number
  readonly payer: string
  readonly asset: string
}

export interface NewGrant extends GrantKey {
  /** CAIP-2. */
  readonly network: string
  /** The block of the state that the grant follows from. */
  readonly block: bigint
  readonly settlementId: string
  /** Identifies the call, which owns the settlement while its lease lasts. */
  readonly attempt: string
  /** Wei that the wallet receives. */
  readonly amount: bigint
  /** The amount and the most wei for the gas of its transfer. */
  readonly cost: bigint
  /** The most of such wei for the payers of the account in a day. */
  readonly perDay: bigint
  readonly approvalHash: string
}

/**
 * `granted-before`: the wallet has received gas for this asset. `limit`: the account's payers have received
 * as much as they may in a day. `unpaid`: its wallet opened the account, and less was paid for it than the
 * grants cost. `lagging`: the state comes from a node that lacks newer blocks. `disowned`: the settlement no
 * longer belongs to the call.
 */
export type GrantRefusal = 'granted-before' | 'limit' | 'unpaid' | 'lagging' | 'disowned'

/** Finds the transaction that gives a wallet gas for an asset. */
export async function findGrant(
  db: Store,
  { chainId, payer, asset }: GrantKey,
): Promise<StoredTransaction | undefined> {
  const { rows } = await sql<{ id: number }>`
    select transaction_id as id from facilitator.approval_grants
    where chain_id = ${chainId} and payer = ${payer} and asset = ${asset}`.execute(db)
  const [row] = rows
  return row && (await findById(db, row.id))
}

/** Ends a transaction of the database without an error for the caller. */
class GrantRefusedError extends Error {
  override readonly name = 'GrantRefusedError'
  readonly refusal: GrantRefusal

  constructor(refusal: GrantRefusal) {
    super(`The grant is refused: ${refusal}`)
    this.refusal = refusal
  }
}

/**
 * Writes a grant together with its signed transaction, the nonce that it uses and the account's total of the
 * day: all or nothing. The primary key decides between concurrent grants, and the row of the total is locked
 * until the commit, so that no two grants see the same total.
 *
 * Locks are taken in the order opening, settlement, total, signer, grant.
 *
 * @throws CommitOutcomeUnknownError, among others. Then the grant may have been written.
 */
export async function addGrant(
  db: Store,
  signer: string,
  grant: NewGrant,
  call: Call,
  sign: (nonce: number) => Promise<Attempt>,
): Promise<Attempt | GrantRefusal> {
  try {
    return await transaction(db, async (trx) => {
      await lockOpening(trx, grant)
      const accountId = await countCost(trx, grant)
      const nonce = await allocateNonce(trx, grant.chainId, signer)
      const attempt = await sign(nonce)
      const where = { chainId: grant.chainId, signer, nonce }
      const transactionId = await addGrantTransaction(trx, where, call, attempt)
      await sql`
        insert into facilitator.approval_grants (chain_id, payer, asset, account_id, settlement_id, transaction_id, amount,
          cost, approval_hash)
        values (${grant.chainId}, ${grant.payer}, ${grant.asset}, ${accountId}, ${grant.settlementId}::bigint,
          ${transactionId}, ${grant.amount}, ${grant.cost}, ${grant.approvalHash})`.execute(trx)
      return attempt
    })
  } catch (error) {
    if (error instanceof GrantRefusedError) return error.refusal
    if (isUniqueViolation(error, 'approval_grants_once')) return 'granted-before'
    throw error
  }
}

/**
 * Makes grants of an account that its wallet opened wait for each other, on all chains, so that the next
 * statement sees what they cost.
 */
async function lockOpening(trx: Store, { settlementId }: NewGrant): Promise<void> {
  await sql`
    select from facilitator.account_openings where credit is not null and account_id = (
      select account_id from facilitator.settlements where id = ${settlementId}::bigint)
    for no key update`.execute(trx)
}

/** Adds the cost to the account's total of the day. @returns The account. @throws GrantRefusedError */
async function countCost(trx: Store, grant: NewGrant): Promise<number> {
  const { rows } = await sql<{
    account_id: number | null
    is_current: boolean
    is_paid: boolean
    is_counted: boolean
  }>`
    with owned as (
      select id, account_id from facilitator.settlements
      where id = ${grant.settlementId}::bigint and attempt = ${grant.attempt}::uuid and state = 'sent'
        and lease_until > clock_timestamp()
      for no key update
    ), head as (
      select not exists (select from facilitator.chain_heads
        where network = ${grant.network} and block_number > ${grant.block}) as is_current
    ), paid as (
      -- Wallets open accounts for nothing. Theirs are given what was paid for them, without the trial, once for ever.
      select not exists (select from owned join facilitator.account_openings o using (account_id)
        where o.credit is not null and ${grant.cost}::numeric > -o.credit
          + (select coalesce(sum(case t.kind when 'reversal' then -t.amount else t.amount end), 0)
            from facilitator.ledger_transfers t where t.account_id = o.account_id and t.settlement_id is null)
          - (select coalesce(sum(g.cost), 0) from facilitator.approval_grants g where g.account_id = o.account_id)) as is_paid
    ), counted as (
      insert into facilitator.approval_grant_totals as total (account_id, chain_id, day, cost)
      select account_id, ${grant.chainId}, (clock_timestamp() at time zone 'UTC')::date, ${grant.cost}
      from owned, head, paid where is_current and is_paid and ${grant.cost}::numeric <= ${grant.perDay}::numeric
      on conflict (account_id, chain_id, day) do update set cost = total.cost + excluded.cost
        where total.cost + excluded.cost <= ${grant.perDay}::numeric
      returning account_id
    )
    select (select account_id from owned) as account_id, is_current, is_paid, exists (select from counted) as is_counted
    from head, paid`.execute(trx)
  const {
    account_id: accountId = null,
    is_current: isCurrent = false,
    is_paid: isPaid = false,
    is_counted: isCounted = false,
  } = rows[0] ?? {}
  if (accountId === null) throw new GrantRefusedError('disowned')
  if (!isCurrent) throw new GrantRefusedError('lagging')
  if (!isPaid) throw new GrantRefusedError('unpaid')
  if (!isCounted) throw new GrantRefusedError('limit')
  return accountId
}

/**
 * Adds a replacement of a grant, and what it can cost above the earlier attempts to the account's total of
 * the present day. That may take the total above its limit, which refuses later grants: a transfer that stays
 * at too low a fee would block all later transactions of its signer.
 *
 * @param cost The most wei that the replacement costs its signer.
 * @returns false if another process added one meanwhile.
 */
export async function addGrantReplacement(
  db: Store,
  replaced: StoredTransaction,
  attempt: Attempt,
  cost: bigint,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (!(await addReplacement(trx, replaced, attempt))) return false
    await sql`
      with raised as (
        update facilitator.approval_grants as g set cost = ${cost}
        from (select transaction_id, cost from facilitator.approval_grants where transaction_id = ${replaced.id}) earlier
        where g.transaction_id = earlier.transaction_id and earlier.cost < ${cost}::numeric
        returning g.account_id, g.chain_id, g.cost - earlier.cost as difference
      )
      insert into facilitator.approval_grant_totals as total (account_id, chain_id, day, cost)
      select account_id, chain_id, (clock_timestamp() at time zone 'UTC')::date, difference from raised
      on conflict (account_id, chain_id, day) do update set cost = total.cost + excluded.cost`.execute(trx)
    return true
  })
}
