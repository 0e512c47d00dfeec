import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { normalizePayer } from '../../payment/payer.ts'
import type { PaymentKey, Settlement } from './settlement.ts'

/** Finds the settlement of an account's payment by its network, payer and nonce, whatever contract keeps the nonce. */
export async function findByNonce(
  db: Kysely<Tables>,
  accountId: number,
  { network, payer, nonce }: Omit<PaymentKey, 'domain'>,
): Promise<Settlement | undefined> {
  return db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('payer', '=', normalizePayer(payer))
    .where('network', '=', network)
    .where('nonce', '=', nonce)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
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
