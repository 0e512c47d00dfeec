import { isUniqueViolation, transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import type { PaymentNonce } from '../reads/transfer-method.ts'
import type { Fees } from './fees.ts'
import { allocateNonce, type NonceUse } from './nonce-store.ts'

/** What a transaction does, independent of its signer. */
export interface Call {
  recipient: string
  data: string
  gas: bigint
  /** Wei. Default 0. */
  value?: bigint
}

/** The payment that a transaction executes, and the call that may sign for it. */
export interface SettledPayment extends PaymentNonce {
  settlementId: string
  /** Identifies the call, which owns the settlement while its lease lasts. */
  attempt: string
}

/** Signed bytes and their fees. */
export interface Attempt extends Fees {
  hash: string
  raw: string
}

/** Signed bytes with the nonce that they use. */
export interface StoredAttempt extends Attempt {
  signer: string
  nonce: number
}

export interface StoredTransaction extends Call {
  id: number
  /**
   * `batch`: executes many payments, each of which has a transaction without a nonce. `grant`: gives a payer
   * gas.
   */
  purpose: 'settle' | 'fill' | 'batch' | 'grant'
  signer: string
  nonce: number
  state: 'sent' | 'mined' | 'final' | 'superseded'
  /** The block of the transaction, if it is mined. */
  blockNumber: bigint | undefined
  blockHash: string | undefined
  /** Oldest first. Never empty. */
  attempts: StoredAttempt[]
  /** Seconds since the newest attempt was written. */
  age: number
  /** Seconds since the first attempt was written. */
  totalAge: number
}

/**
 * Allocates the signer's next nonce and writes the signed transaction that uses it, both or neither, so that
 * no crash leaves a nonce without a transaction. The signer's row stays locked while its key signs, about a
 * millisecond.
 *
 * The same statement locks the settlement, and allocates nothing unless the settlement still belongs to the
 * call. A process that was slower than its lease must not sign, because a reconciler may have released the
 * payment.
 *
 * @returns 'taken' if a transaction for this payment already exists, 'disowned' if the settlement no longer
 * belongs to the call.
 * @throws EarlierPaymentError if the payment must wait for another one. Nothing was written.
 * @throws CommitOutcomeUnknownError, among others. Then the transaction may have been written.
 */
export async function addSettlement(
  db: Store,
  where: { chainId: number; signer: string },
  payment: SettledPayment,
  call: Call,
  { sign, commit }: { sign: (nonce: number) => Promise<Attempt>; commit: (trx: Store) => Promise<void> },
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
          insert into facilitator.transactions (chain_id, signer, nonce, purpose, settlement_id, domain, payer,
            authorization_nonce, recipient, data, gas)
          values (${where.chainId}, ${where.signer}, ${nonce}, 'settle', ${payment.settlementId}::bigint, ${payment.domain},
            ${payment.payer}, ${payment.nonce}, ${call.recipient}, ${call.data}, ${call.gas})
          returning id)
        ${insertAttempt(attempt, { ...where, nonce }, sql`added`)}`.execute(trx)
      await commit(trx)
      return attempt
    })
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_unique_payment')) return 'taken'
    throw error
  }
}

/** Writes a transaction that fills a gap. @returns false if another process was first. */
export async function addFill(db: Store, where: NonceUse, call: Call, attempt: Attempt): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    with added as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
      values (${where.chainId}, ${where.signer}, ${where.nonce}, 'fill', ${call.recipient}, ${call.data}, ${call.gas})
      on conflict (chain_id, signer, nonce) do nothing
      returning id)
    ${insertAttempt(attempt, where, sql`added`)}`.execute(db)
  return numAffectedRows > 0n
}

/** Writes a transaction that gives a payer gas for an approval, with an allocated nonce. @returns Its id. */
export async function addGrantTransaction(
  trx: Store,
  where: NonceUse,
  call: Call,
  attempt: Attempt,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas, value)
      values (${where.chainId}, ${where.signer}, ${where.nonce}, 'grant', ${call.recipient}, ${call.data}, ${call.gas},
        ${call.value ?? 0n})
      returning id
    ), attempt as (${insertAttempt(attempt, where, sql`added`)})
    select id from added`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('The transaction was not written')
  return row.id
}

/** Adds a replacement. @returns false if another process added one meanwhile. */
export async function addReplacement(
  db: Store,
  replaced: StoredTransaction,
  attempt: Attempt,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    if (!(await lockUnchanged(trx, replaced))) return false
    await addAttempt(trx, replaced.id, attempt, replaced)
    return true
  })
}

/**
 * Locks a transaction.
 *
 * @returns False if it is no longer in the state `sent`, or another process added an attempt since it was
 * read.
 */
export async function lockUnchanged(trx: Store, { id, attempts }: StoredTransaction): Promise<boolean> {
  const locked = await sql`
    select from facilitator.transactions where id = ${id} and state = 'sent' for no key update`.execute(trx)
  // A separate statement, because one that waited for the lock would count with a snapshot from before the
  // wait.
  const { rows } = await sql<{ attempts: number }>`
    select count(*) as attempts from facilitator.transaction_attempts where transaction_id = ${id}`.execute(
    trx,
  )
  return locked.rows.length > 0 && rows[0]?.attempts === attempts.length
}

const attemptColumns = sql`hash, raw, max_fee_per_gas, max_priority_fee_per_gas, signer, nonce`

const attemptValues = (
  { hash, raw, maxFeePerGas, maxPriorityFeePerGas }: Attempt,
  { signer, nonce }: Omit<NonceUse, 'chainId'>,
) => sql`${hash}, ${raw}, ${maxFeePerGas}, ${maxPriorityFeePerGas}, ${signer}, ${nonce}::bigint`

/** The statement that adds the first attempt of the transaction that `added` returns. */
export const insertAttempt = (
  attempt: Attempt,
  use: Omit<NonceUse, 'chainId'>,
  added: ReturnType<typeof sql>,
) => sql`
  insert into facilitator.transaction_attempts (transaction_id, ${attemptColumns})
  select id, ${attemptValues(attempt, use)} from ${added}`

async function addAttempt(
  db: Store,
  transactionId: number,
  attempt: Attempt,
  use: Omit<NonceUse, 'chainId'>,
): Promise<void> {
  await sql`
    insert into facilitator.transaction_attempts (transaction_id, ${attemptColumns})
    values (${transactionId}, ${attemptValues(attempt, use)})`.execute(db)
}

/**
 * Allocates a new nonce for a sent transaction and writes it signed again, because another program used its
 * nonce, or because the batch of the payment did not execute it. The token executes an authorization once, so
 * that at most one of the two signed transactions makes the payment.
 *
 * The same statement locks the settlement: nothing is signed for one that has ended without the payment.
 * Locks are taken in the order of `addSettlement`.
 *
 * @returns Undefined if the settlement has ended, or another process signed the transaction again meanwhile.
 */
export async function addUnderNewNonce(
  db: Store,
  { chainId, signer }: { chainId: number; signer: string },
  superseded: Superseded,
  sign: (nonce: number) => Promise<Attempt>,
): Promise<Attempt | undefined> {
  return transaction(db, async (trx) => {
    const settlement = await sql`
      select from facilitator.settlements
      where id = (select settlement_id from facilitator.transactions where id = ${superseded.id})
        and state in ('sent', 'unknown', 'settled')
      for no key update`.execute(trx)
    if (settlement.rows.length === 0) return undefined
    const locked = await sql`
      select from facilitator.transactions
      where id = ${superseded.id} and state = 'sent' and signer is not distinct from ${superseded.signer}
        and nonce is not distinct from ${superseded.nonce}::bigint
      for no key update`.execute(trx)
    if (locked.rows.length === 0) return undefined
    const nonce = await allocateNonce(trx, chainId, signer)
    const attempt = await sign(nonce)
    await sql`
      update facilitator.transactions set signer = ${signer}, nonce = ${nonce}, batch_id = null, gas = ${superseded.gas}
      where id = ${superseded.id}`.execute(trx)
    await addAttempt(trx, superseded.id, attempt, { signer, nonce })
    return attempt
  })
}

/**
 * A transaction that is signed again, with the gas that it needs now. The nonce of a payment in a batch is
 * null.
 */
export interface Superseded extends Call {
  id: number
  signer: string | null
  nonce: number | null
}

interface Row {
  id: number
  purpose: StoredTransaction['purpose']
  signer: string
  nonce: number
  state: StoredTransaction['state']
  recipient: string
  data: string
  gas: string
  value: string
  block_number: string | null
  block_hash: string | null
  age: number
  total_age: number
  attempts: { hash: string; raw: string; fee: string; tip: string; signer: string; nonce: number }[]
}

const columns = sql`
  t.id, t.purpose, t.signer, t.nonce, t.state, t.recipient, t.data, t.gas, t.value, t.block_number, t.block_hash,
  extract(epoch from clock_timestamp() - t.created_at)::float8 as total_age,
  (select extract(epoch from clock_timestamp() - max(a.created_at))::float8
    from facilitator.transaction_attempts a where a.transaction_id = t.id) as age,
  (select json_agg(json_build_object('hash', a.hash, 'raw', a.raw, 'fee', a.max_fee_per_gas::text,
      'tip', a.max_priority_fee_per_gas::text, 'signer', a.signer, 'nonce', a.nonce) order by a.created_at)
    from facilitator.transaction_attempts a where a.transaction_id = t.id) as attempts`

function toStoredTransaction({
  gas,
  value,
  block_number,
  block_hash,
  attempts,
  ...row
}: Row): StoredTransaction {
  const { id, purpose, signer, nonce, state, recipient, data, age, total_age: totalAge } = row
  return {
    id,
    purpose,
    signer,
    nonce,
    state,
    recipient,
    data,
    age,
    totalAge,
    gas: BigInt(gas),
    value: BigInt(value),
    blockNumber: block_number === null ? undefined : BigInt(block_number),
    blockHash: block_hash ?? undefined,
    attempts: attempts.map(({ fee, tip, ...attempt }) => ({
      ...attempt,
      maxFeePerGas: BigInt(fee),
      maxPriorityFeePerGas: BigInt(tip),
    })),
  }
}

/**
 * Returns the newest attempt with the transaction's present nonce. The other ones can no longer be mined, or
 * were replaced.
 */
export function getNewestAttempt({ attempts, signer, nonce }: StoredTransaction): StoredAttempt | undefined {
  return attempts.findLast((attempt) => attempt.signer === signer && attempt.nonce === nonce)
}

/** Whether the transaction of a payment was given up (`recordSuperseded`). */
export async function isPaymentSuperseded(
  db: Store,
  chainId: number,
  { domain, payer, nonce }: PaymentNonce,
): Promise<boolean> {
  const { rows } = await sql`
    select from facilitator.transactions
    where chain_id = ${chainId} and domain = ${domain} and payer = ${payer} and authorization_nonce = ${nonce}
      and state = 'superseded'`.execute(db)
  return rows.length > 0
}

/** Finds the transaction that executes a payment: its own, or its batch. */
export async function findByPayment(
  db: Store,
  chainId: number,
  { domain, payer, nonce }: PaymentNonce,
): Promise<StoredTransaction | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.transactions p join facilitator.transactions t on t.id = coalesce(p.batch_id, p.id)
    where p.chain_id = ${chainId} and p.domain = ${domain} and p.payer = ${payer}
      and p.authorization_nonce = ${nonce}`.execute(db)
  return rows[0] && toStoredTransaction(rows[0])
}

/**
 * Lists the hashes of each payment's transaction, or of its batch: the one that is mined last, before it the
 * newest. The signed bytes are not read: the payments of a batch would each read those of all others.
 */
export async function listHashesOfPayments(
  db: Store,
  chainId: number,
  payments: readonly PaymentNonce[],
): Promise<string[][]> {
  const items = JSON.stringify(
    payments.map(({ domain, payer, nonce }, place) => ({ place, domain, payer, nonce })),
  )
  const { rows } = await sql<{ hashes: string[] }>`
    select coalesce((
      select array_agg(a.hash order by (a.hash = t.hash) is true, a.created_at) from facilitator.transactions p
      join facilitator.transactions t on t.id = coalesce(p.batch_id, p.id)
      join facilitator.transaction_attempts a on a.transaction_id = t.id
      where p.chain_id = ${chainId} and p.domain = i.domain and p.payer = i.payer
        and p.authorization_nonce = i.nonce
    ), '{}') as hashes
    from jsonb_to_recordset(${items}::jsonb) as i (place int, domain text, payer text, nonce text)
    order by i.place`.execute(db)
  return rows.map(({ hashes }) => hashes)
}

/** Finds a transaction by its id. */
export async function findById(db: Store, id: number): Promise<StoredTransaction | undefined> {
  const { rows } = await sql<Row>`
    select ${columns} from facilitator.transactions t where id = ${id}`.execute(db)
  return rows[0] && toStoredTransaction(rows[0])
}

/** Finds the transaction of a settlement, which may be a batch, and its chain. */
export async function findBySettlement(
  db: Store,
  settlementId: string,
): Promise<{ chainId: number; transaction: StoredTransaction } | undefined> {
  const { rows } = await sql<Row & { chain_id: number }>`
    select ${columns}, t.chain_id from facilitator.transactions p
    join facilitator.transactions t on t.id = coalesce(p.batch_id, p.id)
    where p.settlement_id = ${settlementId}::bigint`.execute(db)
  return rows[0] && { chainId: rows[0].chain_id, transaction: toStoredTransaction(rows[0]) }
}

/** Lists the settlements whose payments a transaction executes. */
export async function listSettlementIds(db: Store, id: number): Promise<string[]> {
  const { rows } = await sql<{ settlementId: string }>`
    select settlement_id::text as "settlementId" from facilitator.transactions
    where (id = ${id} or batch_id = ${id}) and settlement_id is not null`.execute(db)
  return rows.map(({ settlementId }) => settlementId)
}

/** Lists the hashes of a transaction's attempts, oldest first. */
export async function listHashes(db: Store, id: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from facilitator.transaction_attempts where transaction_id = ${id} order by created_at`.execute(
    db,
  )
  return rows.map(({ hash }) => hash)
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
