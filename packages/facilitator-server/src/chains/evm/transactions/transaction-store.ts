import { isUniqueViolation, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { PaymentOnChain } from '../../../payments/payment.ts'
import type { Tables } from '../../../tables.ts'
import type { Fees } from './fees.ts'

export type Store = Kysely<Tables>

/** What a transaction does, independent of its signer. */
export interface Call {
  recipient: string
  data: string
  gas: bigint
}

/** The payment that a transaction executes, and the call that may sign for it. */
export interface SettledPayment extends Pick<PaymentOnChain, 'asset' | 'payer' | 'nonce'> {
  settlementId: string
  /** Identifies the call, which owns the settlement while its lease lasts. */
  attempt: string
}

/** Signed bytes and their fees. */
export interface Attempt extends Fees {
  hash: string
  raw: string
}

export interface StoredTransaction extends Call {
  id: number
  signer: string
  nonce: number
  state: 'sent' | 'mined' | 'final' | 'superseded'
  /** The block of the transaction, if it is mined. */
  blockNumber: bigint | undefined
  blockHash: string | undefined
  /** Oldest first. Never empty. */
  attempts: Attempt[]
  /** Seconds since the newest attempt was written. */
  age: number
}

/** Where and how a transaction was mined. */
export interface Mined {
  hash: string
  succeeded: boolean
  blockNumber: bigint
  blockHash: string
  final: boolean
}

/** Raises the signer's next nonce to at least `atLeast`. */
export async function raiseNonce(db: Store, chainId: number, signer: string, atLeast: number): Promise<void> {
  await sql`
    insert into facilitator.signer_nonces as current (chain_id, signer, next_nonce)
    values (${chainId}, ${signer}, ${atLeast})
    on conflict (chain_id, signer) do update set next_nonce = excluded.next_nonce
      where current.next_nonce < excluded.next_nonce`.execute(db)
}

/** Reads the nonce of the signer's next transaction. Undefined before `raiseNonce`. */
export async function getNextNonce(db: Store, chainId: number, signer: string): Promise<number | undefined> {
  const { rows } = await sql<{ next_nonce: number }>`
    select next_nonce from facilitator.signer_nonces where chain_id = ${chainId} and signer = ${signer}`.execute(
    db,
  )
  return rows[0]?.next_nonce
}

/**
 * Allocates the signer's next nonce and writes the signed transaction that uses it, both or neither, so that no crash leaves a nonce
 * without a transaction. The signer's row stays locked while its key signs, about a millisecond.
 *
 * The same statement locks the settlement, and allocates nothing unless the settlement still belongs to the call. A process that was slower
 * than its lease must not sign, because a reconciler may have released the payment.
 *
 * @returns 'taken' if a transaction for this payment already exists, 'disowned' if the settlement no longer belongs to the call.
 * @throws CommitOutcomeUnknownError, among others. Then the transaction may have been written.
 */
export async function addSettlement(
  db: Store,
  where: { chainId: number; signer: string },
  payment: SettledPayment,
  call: Call,
  sign: (nonce: number) => Promise<Attempt>,
): Promise<Attempt | 'taken' | 'disowned'> {
  try {
    return await transaction(db, async (trx) => {
      const { rows } = await sql<{ nonce: number | null; owned: boolean }>`
        with owned as (
          select id from facilitator.settlements
          where id = ${payment.settlementId}::bigint and attempt = ${payment.attempt}::uuid and state = 'sent'
            and lease_until > clock_timestamp()
          for no key update
        ), allocated as (
          update facilitator.signer_nonces set next_nonce = next_nonce + 1
          where chain_id = ${where.chainId} and signer = ${where.signer} and exists (select from owned)
          returning next_nonce - 1 as nonce
        )
        select (select nonce from allocated) as nonce, exists (select from owned) as owned`.execute(trx)
      const { nonce = null, owned = false } = rows[0] ?? {}
      if (!owned) return 'disowned'
      if (nonce === null) throw new Error(`The signer ${where.signer} has no next nonce`)
      const attempt = await sign(nonce)
      await sql`
        with added as (
          insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, asset, payer,
            authorization_nonce, recipient, data, gas)
          values (${where.chainId}, ${where.signer}, ${nonce}, 'settle', ${payment.settlementId}, ${payment.asset},
            ${payment.payer}, ${payment.nonce}, ${call.recipient}, ${call.data}, ${call.gas})
          returning id)
        insert into facilitator.transaction_attempts (hash, transaction_id, raw, max_fee_per_gas,
          max_priority_fee_per_gas)
        select ${attempt.hash}, id, ${attempt.raw}, ${attempt.maxFeePerGas}, ${attempt.maxPriorityFeePerGas}
        from added`.execute(trx)
      return attempt
    })
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_unique_payment')) return 'taken'
    throw error
  }
}

/** Writes a transaction that fills a gap. @returns false if another process was first. */
export async function addFill(
  db: Store,
  where: { chainId: number; signer: string; nonce: number },
  call: Call,
  attempt: Attempt,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with added as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
      values (${where.chainId}, ${where.signer}, ${where.nonce}, 'fill', ${call.recipient}, ${call.data}, ${call.gas})
      on conflict (chain_id, signer, nonce) do nothing
      returning id)
    insert into facilitator.transaction_attempts (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas)
    select ${attempt.hash}, id, ${attempt.raw}, ${attempt.maxFeePerGas}, ${attempt.maxPriorityFeePerGas}
    from added`.execute(db)
  return numAffectedRows > 0n
}

/** Adds a replacement. @returns false if another process added one meanwhile. */
export async function addReplacement(
  db: Store,
  replaced: StoredTransaction,
  attempt: Attempt,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const locked = await sql`
      select from facilitator.transactions where id = ${replaced.id} and state = 'sent' for no key update`.execute(
      trx,
    )
    // A separate statement, because one that waited for the lock would count with a snapshot from before the wait.
    const { rows } = await sql<{ attempts: number }>`
      select count(*) as attempts from facilitator.transaction_attempts
      where transaction_id = ${replaced.id}`.execute(trx)
    if (locked.rows.length === 0 || rows[0]?.attempts !== replaced.attempts.length) return false
    await sql`
      insert into facilitator.transaction_attempts (hash, transaction_id, raw, max_fee_per_gas,
        max_priority_fee_per_gas)
      values (${attempt.hash}, ${replaced.id}, ${attempt.raw}, ${attempt.maxFeePerGas},
        ${attempt.maxPriorityFeePerGas})`.execute(trx)
    return true
  })
}

interface Row {
  id: number
  signer: string
  nonce: number
  state: StoredTransaction['state']
  recipient: string
  data: string
  gas: string
  block_number: string | null
  block_hash: string | null
  age: number
  attempts: { hash: string; raw: string; fee: string; tip: string }[]
}

const columns = sql`
  t.id, t.signer, t.nonce, t.state, t.recipient, t.data, t.gas, t.block_number, t.block_hash,
  (select extract(epoch from clock_timestamp() - max(a.created_at))::float8
    from facilitator.transaction_attempts a where a.transaction_id = t.id) as age,
  (select json_agg(json_build_object('hash', a.hash, 'raw', a.raw, 'fee', a.max_fee_per_gas::text,
      'tip', a.max_priority_fee_per_gas::text) order by a.created_at)
    from facilitator.transaction_attempts a where a.transaction_id = t.id) as attempts`

function toStoredTransaction({ gas, block_number, block_hash, attempts, ...row }: Row): StoredTransaction {
  const { id, signer, nonce, state, recipient, data, age } = row
  return {
    id,
    signer,
    nonce,
    state,
    recipient,
    data,
    age,
    gas: BigInt(gas),
    blockNumber: block_number === null ? undefined : BigInt(block_number),
    blockHash: block_hash ?? undefined,
    attempts: attempts.map(({ hash, raw, fee, tip }) => ({
      hash,
      raw,
      maxFeePerGas: BigInt(fee),
      maxPriorityFeePerGas: BigInt(tip),
    })),
  }
}

/** Finds the transaction that executes a payment. */
export async function findByPayment(
  db: Store,
  chainId: number,
  { asset, payer, nonce }: Pick<PaymentOnChain, 'asset' | 'payer' | 'nonce'>,
): Promise<StoredTransaction | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.transactions t
    where chain_id = ${chainId} and asset = ${asset} and payer = ${payer} and authorization_nonce = ${nonce}`.execute(
    db,
  )
  return rows[0] && toStoredTransaction(rows[0])
}

/** Finds the transaction of a settlement, and its chain. */
export async function findBySettlement(
  db: Store,
  settlementId: string,
): Promise<{ chainId: number; transaction: StoredTransaction } | undefined> {
  const { rows } = await sql<Row & { chain_id: number }>`
    select ${columns}, t.chain_id from facilitator.transactions t where settlement_id = ${settlementId}`.execute(
    db,
  )
  return rows[0] && { chainId: rows[0].chain_id, transaction: toStoredTransaction(rows[0]) }
}

/** Lists the `configured` signers of a chain and all others with sent transactions, each with its next nonce. */
export async function listSigners(
  db: Store,
  chainId: number,
  configured: readonly string[],
): Promise<{ signer: string; nextNonce: number }[]> {
  const { rows } = await sql<{ signer: string; next_nonce: number }>`
    select signer, next_nonce from facilitator.signer_nonces s
    where chain_id = ${chainId} and (signer = any(${configured}) or exists (
      select from facilitator.transactions t
      where t.chain_id = s.chain_id and t.signer = s.signer and t.state = 'sent'))
    order by signer`.execute(db)
  return rows.map(({ signer, next_nonce }) => ({ signer, nextNonce: next_nonce }))
}

/** Lists the signer's transactions that are not mined, lowest nonce first, with `from <= nonce < before`. */
export async function listSent(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  { from, before, limit }: { from: number; before: number; limit: number },
): Promise<StoredTransaction[]> {
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.transactions t
    where chain_id = ${chainId} and signer = ${signer} and state = 'sent'
      and nonce >= ${from} and nonce < ${before}
    order by nonce limit ${limit}`.execute(db)
  return rows.map(toStoredTransaction)
}

/** A block with mined transactions. */
export interface MinedBlock {
  number: bigint
  hash: string
}

interface MinedBlockRow {
  block_number: string
  block_hash: string
}

const toMinedBlock = ({ block_number, block_hash }: MinedBlockRow): MinedBlock => ({
  number: BigInt(block_number),
  hash: block_hash,
})

/**
 * Lists blocks of mined transactions after `after` and up to the block `upTo`, lowest first. Two blocks with the same number are possible,
 * because a reorganization can happen between two receipts.
 */
export async function listMinedBlocks(
  db: Store,
  chainId: number,
  { after, upTo, limit }: { after: MinedBlock; upTo: bigint; limit: number },
): Promise<MinedBlock[]> {
  const { rows } = await sql<MinedBlockRow>`
    select block_number, block_hash from facilitator.transactions
    where chain_id = ${chainId} and state = 'mined' and block_number <= ${upTo}
      and (block_number, block_hash) > (${after.number}, ${after.hash})
    group by block_number, block_hash order by block_number, block_hash limit ${limit}`.execute(db)
  return rows.map(toMinedBlock)
}

/** Lists blocks of the signer's mined transactions whose nonce is at least `fromNonce`. */
export async function listMinedBlocksFromNonce(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  fromNonce: number,
): Promise<MinedBlock[]> {
  const { rows } = await sql<MinedBlockRow>`
    select distinct block_number, block_hash from facilitator.transactions
    where chain_id = ${chainId} and signer = ${signer} and nonce >= ${fromNonce} and state = 'mined'`.execute(
    db,
  )
  return rows.map(toMinedBlock)
}

/** Marks the mined transactions of a final block as final. @returns Their number. */
export async function finalizeBlock(db: Store, chainId: number, block: MinedBlock): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update facilitator.transactions set state = 'final'
    where chain_id = ${chainId} and state = 'mined'
      and block_number = ${block.number} and block_hash = ${block.hash}`.execute(db)
  return Number(numAffectedRows)
}

/** Marks the mined transactions of a block that a reorganization removed as sent, so that they are broadcast again. */
export async function revertBlock(db: Store, chainId: number, block: MinedBlock): Promise<void> {
  await sql`
    update facilitator.transactions set state = 'sent', hash = null, succeeded = null, block_number = null,
      block_hash = null
    where chain_id = ${chainId} and state = 'mined'
      and block_number = ${block.number} and block_hash = ${block.hash}`.execute(db)
}

/** Lists the signer's nonces without a transaction, with `from <= nonce < before`. */
export async function listNonceGaps(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  from: number,
  before: number,
): Promise<number[]> {
  const { rows } = await sql<{ nonce: number }>`
    select allocated.nonce from generate_series(${from}::bigint, ${before}::bigint - 1) as allocated (nonce)
    where not exists (select from facilitator.transactions t
      where t.chain_id = ${chainId} and t.signer = ${signer} and t.nonce = allocated.nonce)
    order by allocated.nonce`.execute(db)
  return rows.map((row) => row.nonce)
}

/** Records the block of a mined transaction. A final transaction stays final. */
export async function recordMined(db: Store, hash: string, mined: Mined): Promise<void> {
  await sql`
    update facilitator.transactions set state = ${mined.final ? 'final' : 'mined'}, hash = ${mined.hash},
      succeeded = ${mined.succeeded}, block_number = ${mined.blockNumber}, block_hash = ${mined.blockHash}
    where id = (select transaction_id from facilitator.transaction_attempts where hash = ${hash})
      and state in ('sent', 'mined')`.execute(db)
}

/** Records that a reorganization removed the transaction, so that it is broadcast again. */
export async function recordUnmined(db: Store, { id, blockHash }: StoredTransaction): Promise<void> {
  await sql`
    update facilitator.transactions set state = 'sent', hash = null, succeeded = null, block_number = null,
      block_hash = null
    where id = ${id} and state in ('mined', 'final') and block_hash = ${blockHash ?? ''}`.execute(db)
}

/** Records that another program's transaction finally used the nonce. */
export async function recordSuperseded(db: Store, { id }: StoredTransaction): Promise<void> {
  await sql`update facilitator.transactions set state = 'superseded' where id = ${id} and state = 'sent'`.execute(
    db,
  )
}
