import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import { SPOILED_GAS } from '../reads/batch-call.ts'
import { lockUnchanged, type StoredTransaction } from './transaction-store.ts'

/** Where and how a transaction was mined. */
export interface Mined {
  hash: string
  succeeded: boolean
  blockNumber: bigint
  blockHash: string
  final: boolean
  gasUsed: bigint
  /** The authorizations that it used (`authorizationKey`), for the outcomes of a batch's payments. */
  authorizations: readonly string[]
  /** The payments that it did not make although it succeeded, in the same form. */
  unpaid: readonly string[]
}

/**
 * Records the block of a mined transaction, and the nonce of the attempt that was mined. Another nonce that
 * was allocated for it becomes a gap, which a sweep fills. If another transaction of ours has the nonce of
 * the attempt, the two exchange their nonces, so that each allocated nonce belongs to a transaction that can
 * still use it. A final transaction stays final.
 */
export async function recordMined(db: Store, hash: string, mined: Mined): Promise<void> {
  const { rows } = await sql`
    with own as (
      update facilitator.transactions t set ${minedValues(mined)}
      from facilitator.transaction_attempts a
      where a.hash = ${hash} and t.id = a.transaction_id and t.state in ('sent', 'mined')
        and t.signer = a.signer and t.nonce = a.nonce
      returning t.id, t.purpose, t.gas
    ), payments as (${updatePayments(mined)})
    select id from own`.execute(db)
  if (rows.length === 0) await transaction(db, (trx) => recordMinedWithOtherNonce(trx, hash, mined))
}

/**
 * Records the outcomes of the payments of a batch (`own`). A payment that a spoiled batch did not make stays
 * sent: a sweep signs it by itself.
 */
const updatePayments = ({ hash, succeeded, blockNumber, blockHash, final, ...mined }: Mined) => sql`
  update facilitator.transactions p set
    state = case when o.outcome is null then 'sent' when ${final} then 'final' else 'mined' end,
    succeeded = o.outcome,
    hash = case when o.outcome is not null then ${hash} end,
    block_number = case when o.outcome is not null then ${blockNumber}::numeric end,
    block_hash = case when o.outcome is not null then ${blockHash} end,
    mined_at = case when o.outcome is not null then coalesce(p.mined_at, clock_timestamp()) end
  from (
    select m.id, case
      -- A subquery is hashed. An array would be read for each payment.
      when ${key} in (select * from unnest(${[...mined.unpaid]}::text[])) then false
      when ${key} in (select * from unnest(${[...mined.authorizations]}::text[])) then true
      when not ${succeeded} or ${mined.gasUsed}::numeric * ${SPOILED_GAS.of}::numeric > own.gas * ${SPOILED_GAS.parts}::numeric
        then null
      else false end as outcome
    from own join facilitator.transactions m on m.batch_id = own.id
    where own.purpose = 'batch'
  ) o
  where p.id = o.id and p.state in ('sent', 'mined')`

/** The authorization of a payment, as `authorizationKey` names it. */
const key = sql`concat_ws(' ', m.domain, m.payer, m.authorization_nonce)`

const minedValues = ({ hash, succeeded, blockNumber, blockHash, final }: Mined) => sql`
  state = ${final ? 'final' : 'mined'}, hash = ${hash}, succeeded = ${succeeded}, block_number = ${blockNumber},
  block_hash = ${blockHash}, mined_at = coalesce(t.mined_at, clock_timestamp())`

async function recordMinedWithOtherNonce(trx: Store, hash: string, mined: Mined): Promise<void> {
  // The attempt's transaction, and the one that has its nonce.
  const { rows } = await sql<{ id: number; is_own: boolean; signer: string; nonce: number }>`
    select t.id, t.id = a.transaction_id as is_own, t.signer, t.nonce
    from facilitator.transaction_attempts a
    join facilitator.transactions own on own.id = a.transaction_id
    join facilitator.transactions t on t.id = own.id
      or (t.chain_id = own.chain_id and t.signer = a.signer and t.nonce = a.nonce)
    where a.hash = ${hash} and own.state in ('sent', 'mined')
    order by t.id for no key update of t`.execute(trx)
  const own = rows.find((row) => row.is_own)
  if (own === undefined) return
  const other = rows.find((row) => !row.is_own)
  if (other !== undefined) {
    // No two transactions have the same nonce, not even within a statement.
    await sql`update facilitator.transactions set nonce = ${-other.id} where id = ${other.id}`.execute(trx)
  }
  await sql`
    with own as (
      update facilitator.transactions t set ${minedValues(mined)}, signer = a.signer, nonce = a.nonce
      from facilitator.transaction_attempts a
      where a.hash = ${hash} and t.id = a.transaction_id and t.state in ('sent', 'mined')
      returning t.id, t.purpose, t.gas
    ), payments as (${updatePayments(mined)})
    select id from own`.execute(trx)
  if (other !== undefined) {
    // A filling can be signed again. A payment that was given up cannot.
    await sql`
      update facilitator.transactions set signer = ${own.signer}, nonce = ${own.nonce},
        state = case when state = 'superseded' and purpose = 'fill' then 'sent' else state end
      where id = ${other.id}`.execute(trx)
  }
}

/**
 * Records that a reorganization removed the transaction, with the payments of a batch, so that it is
 * broadcast again.
 */
export async function recordUnmined(db: Store, { id, blockHash }: StoredTransaction): Promise<void> {
  await sql`
    update facilitator.transactions set state = 'sent', hash = null, succeeded = null, block_number = null,
      block_hash = null
    where (id = ${id} or batch_id = ${id}) and state in ('mined', 'final') and block_hash = ${blockHash ?? ''}`.execute(
    db,
  )
}

/** Records that another program's transaction finally used the nonce. */
export async function recordSuperseded(db: Store, superseded: StoredTransaction): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await lockUnchanged(trx, superseded))) return
    const { id, signer, nonce } = superseded
    await sql`
      update facilitator.transactions set state = 'superseded'
      where id = ${id} and signer = ${signer} and nonce = ${nonce} or batch_id = ${id} and state = 'sent'`.execute(
      trx,
    )
  })
}
