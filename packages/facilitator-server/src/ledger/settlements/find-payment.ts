import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { normalizePayer } from '../../payment/payer.ts'
import type { PaymentKey, Settlement } from './settlement.ts'

/** A payment as its payer knows it. Each contract numbers the uses of its payers by itself. */
export interface SignedNonce extends Pick<PaymentKey, 'network' | 'payer' | 'nonce'> {
  /** The contract that keeps the nonce. Undefined: any contract. */
  readonly contract: string | undefined
}

/** Finds at most two settlements of an account's payments by what their payer has signed. */
export async function findByNonce(
  db: Kysely<Tables>,
  accountId: number,
  { network, payer, nonce, contract }: SignedNonce,
): Promise<Settlement[]> {
  let query = db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('payer', '=', normalizePayer(payer))
    .where('network', '=', network)
    .where('nonce', '=', nonce)
  if (contract !== undefined) query = query.where('domain', '=', normalizePayer(contract))
  return query.limit(2).execute()
}

/** Finds the newest settlement of an account that was executed under a payment identifier, or may still be. */
export async function findByIdentifier(
  db: Kysely<Tables>,
  accountId: number,
  { identifier, payer }: { readonly identifier: string; readonly payer?: string | undefined },
): Promise<Settlement | undefined> {
  let query = db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('payment_identifier', '=', identifier)
    .where('account_id', '=', accountId)
    // The states of the unique index.
    .where('state', 'in', ['sent', 'unknown', 'settled'])
  if (payer !== undefined) query = query.where('payer', '=', normalizePayer(payer))
  return query.orderBy('created_at', 'desc').limit(1).executeTakeFirst()
}
