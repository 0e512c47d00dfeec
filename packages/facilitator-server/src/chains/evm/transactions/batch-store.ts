import { transaction } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { allocateNonce } from './nonce-store.ts'
import type { Store } from './store.ts'
import { type Attempt, type Call, insertAttempt, type SettledPayment } from './transaction-store.ts'

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
 * @param sign Signs the call of the payments with these places.
 * @throws CommitOutcomeUnknownError, among others. Then the transaction may have been written.
 */
export async function addBatch(
  db: Store,
  where: { chainId: number; signer: string },
  payments: readonly BatchedPayment[],
  sign: (nonce: number, places: readonly number[]) => Promise<SignedCall>,
): Promise<AddedBatch> {
  const items = JSON.stringify(
    payments.map(({ settlementId, attempt, domain, payer, nonce, call }, place) => {
      const { recipient, data } = call
      const payment = { settlement_id: settlementId, attempt, domain, payer, nonce }
      return { place, ...payment, recipient, data, gas: call.gas.toString() }
    }),
  )
  return transaction(db, async (trx) => {
    const owned = await lockOwned(trx, items)
    const taken = owned.size > 0 ? await listTaken(trx, where.chainId, items) : new Set<number>()
    const outcomes = payments.map((_, place): BatchedOutcome => {
      if (!owned.has(place)) return 'disowned'
      return taken.has(place) ? 'taken' : 'added'
    })
    const places = outcomes.flatMap((outcome, place) => (outcome === 'added' ? [place] : []))
    if (places.length === 0) return { outcomes, signed: undefined }
    const nonce = await allocateNonce(trx, where.chainId, where.signer)
    const signed = await sign(nonce, places)
    const id = await insertBatch(trx, { ...where, nonce, places, items }, signed)
    return { outcomes, signed: { ...signed.attempt, id } }
  })
}

const itemRows = (
  items: string,
) => sql`jsonb_to_recordset(${items}::jsonb) as i (place int, settlement_id bigint,
  attempt uuid, domain text, payer text, nonce text, recipient text, data text, gas numeric)`

/** Locks the settlements that belong to their calls. Returns the places of their payments. */
async function lockOwned(trx: Store, items: string): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select i.place from ${itemRows(items)} join facilitator.settlements s on s.id = i.settlement_id
    where s.attempt = i.attempt and s.state = 'sent' and s.lease_until > clock_timestamp()
    order by s.id for no key update of s`.execute(trx)
  return new Set(rows.map(({ place }) => place))
}

/**
 * Lists the places of payments that have a transaction. A separate statement, because it must see what was
 * written before the locks.
 */
async function listTaken(trx: Store, chainId: number, items: string): Promise<Set<number>> {
  const { rows } = await sql<{ place: number }>`
    select i.place from ${itemRows(items)} join facilitator.transactions t
      on t.chain_id = ${chainId} and t.domain = i.domain and t.payer = i.payer and t.authorization_nonce = i.nonce`.execute(
    trx,
  )
  return new Set(rows.map(({ place }) => place))
}

async function insertBatch(
  trx: Store,
  use: { chainId: number; signer: string; nonce: number; places: readonly number[]; items: string },
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
      select batch.id, ${use.chainId}, 'settle', i.settlement_id::text, i.domain, i.payer, i.nonce, i.recipient, i.data, i.gas
      from batch cross join ${itemRows(use.items)} where i.place = any (${[...use.places]}::int[])
    ), attempt as (${insertAttempt(attempt, use, sql`batch`)})
    select id from batch`.execute(trx)
  const [batch] = rows
  if (batch === undefined) throw new Error('The batch was not written')
  return batch.id
}
