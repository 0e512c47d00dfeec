import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import { allocateNonce, type NonceUse } from '../transactions/nonce-store.ts'
import {
  type Attempt,
  type Call,
  insertAttempt,
  type SettledPayment,
} from '../transactions/transaction-store.ts'

/** A payment of a batch, with its own call and its share of the batch's gas. */
export interface BatchedPayment extends SettledPayment {
  readonly call: Call
}

/**
 * What became of a payment: it is in the batch, it has a transaction already, or its settlement no longer
 * belongs to the call.
 */
export type BatchedOutcome = 'added' | 'taken' | 'disowned'

export interface AddedBatch {
  /** In the order of the payments. */
  readonly outcomes: readonly BatchedOutcome[]
  /** Undefined if no payment was added. */
  readonly signed: (Attempt & { readonly id: number }) | undefined
}

/** A call that was signed. */
export interface SignedCall {
  readonly call: Call
  readonly attempt: Attempt
}

/**
 * Allocates one nonce and writes the signed transaction of many payments with a row for each of them, all or
 * nothing, before it is broadcast. As in `addSettlement`, nothing is signed for a settlement that no longer
 * belongs to its call.
 *
 * Settlements are locked in the order of their ids, as `apply_transitions` locks them, and then the signer's
 * row.
 *
 * @param sign Signs the call that executes the payments which are added.
 * @throws CommitOutcomeUnknownError, among others. Then the transaction may have been written.
 */
export async function addBatch<Payment extends BatchedPayment>(
  db: Store,
  where: { chainId: number; signer: string },
  payments: readonly Payment[],
  sign: (nonce: number, added: readonly Payment[]) => Promise<SignedCall>,
): Promise<AddedBatch> {
  return transaction(db, async (trx) => {
    const owned = await lockOwned(trx, payments)
    const taken = owned.size > 0 ? await listTaken(trx, where.chainId, payments) : new Set<number>()
    const outcomes = payments.map((_, place): BatchedOutcome => {
      if (!owned.has(place)) return 'disowned'
      return taken.has(place) ? 'taken' : 'added'
    })
    const added = payments.filter((_, place) => outcomes[place] === 'added')
    if (added.length === 0) return { outcomes, signed: undefined }
    const nonce = await allocateNonce(trx, where.chainId, where.signer)
    const signed = await sign(nonce, added)
    const id = await insertBatch(trx, { ...where, nonce }, added, signed)
    return { outcomes, signed: { ...signed.attempt, id } }
  })
}

/** Locks the settlements that belong to their calls. Returns the places of their payments. */
async function lockOwned(trx: Store, payments: readonly SettledPayment[]): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select (i.place - 1)::int as place
    from unnest(${payments.map(({ settlementId }) => settlementId)}::bigint[],
      ${payments.map(({ attempt }) => attempt)}::uuid[]) with ordinality as i (settlement_id, attempt, place)
    join facilitator.settlements s on s.id = i.settlement_id
    where s.attempt = i.attempt and s.state = 'sent' and s.lease_until > clock_timestamp()
    order by s.id for no key update of s`.execute(trx)
  return new Set(rows.map(({ place }) => place))
}

/**
 * Lists the places of payments that have a transaction. A separate statement, because it must see what was
 * written before the locks. A scalar subquery, so that no plan reads all transactions.
 */
async function listTaken(
  trx: Store,
  chainId: number,
  payments: readonly SettledPayment[],
): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select (i.place - 1)::int as place
    from unnest(${payments.map(({ domain }) => domain)}::text[], ${payments.map(({ payer }) => payer)}::text[],
      ${payments.map(({ nonce }) => nonce)}::text[]) with ordinality as i (domain, payer, nonce, place)
    where (select true from facilitator.transactions t
      where t.chain_id = ${chainId} and t.domain = i.domain and t.payer = i.payer
        and t.authorization_nonce = i.nonce)`.execute(trx)
  return new Set(rows.map(({ place }) => place))
}

async function insertBatch(
  trx: Store,
  use: NonceUse,
  payments: readonly BatchedPayment[],
  { call, attempt }: SignedCall,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with batch as (
      insert into facilitator.transactions (chain_id, signer, nonce, purpose, recipient, data, gas)
      values (${use.chainId}, ${use.signer}, ${use.nonce}, 'batch', ${call.recipient}, ${call.data}, ${call.gas})
      returning id
    ), payments as (
      insert into facilitator.transactions (batch_id, chain_id, purpose, settlement_id, domain, payer, authorization_nonce,
        recipient, data, gas)
      select batch.id, ${use.chainId}, 'settle', i.*
      from batch cross join unnest(${payments.map(({ settlementId }) => settlementId)}::bigint[],
        ${payments.map(({ domain }) => domain)}::text[], ${payments.map(({ payer }) => payer)}::text[],
        ${payments.map(({ nonce }) => nonce)}::text[], ${payments.map(({ call }) => call.recipient)}::text[],
        ${payments.map(({ call }) => call.data)}::text[], ${payments.map(({ call }) => call.gas)}::numeric[]) as i
    ), attempt as (${insertAttempt(attempt, use, sql`batch`)})
    select id from batch`.execute(trx)
  const [batch] = rows
  if (batch === undefined) throw new Error('The batch was not written')
  return batch.id
}
