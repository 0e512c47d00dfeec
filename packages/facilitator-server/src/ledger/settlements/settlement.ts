import { type Kysely, type Selectable, sql } from 'kysely'
import type { Payment } from '../../payments/payment.ts'
import type { SettlementsTable, Tables } from '../../tables.ts'

/** A row of `facilitator.settlements`. Amounts are decimal texts. */
export type Settlement = Selectable<SettlementsTable>

/**
 * The identity of a payment: a nonce is unique within the network, the contract that keeps it and the payer.
 */
export interface PaymentKey {
  readonly network: string
  readonly domain: string
  readonly payer: string
  readonly nonce: string
}

export const paymentKey = ({ network, domain, payer, nonce }: Payment): PaymentKey => ({
  network,
  domain,
  payer,
  nonce,
})

export async function findByPayment(db: Kysely<Tables>, key: PaymentKey): Promise<Settlement | undefined> {
  return db
    .selectFrom('facilitator.settlements')
    .selectAll()
    .where('network', '=', key.network)
    .where('domain', '=', key.domain)
    .where('payer', '=', key.payer)
    .where('nonce', '=', key.nonce)
    .executeTakeFirst()
}

export async function findById(db: Kysely<Tables>, id: number): Promise<Settlement | undefined> {
  return db.selectFrom('facilitator.settlements').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Claims the single delivery of a success for a call. Returns whether the call owns the delivery. Idempotent:
 * repeating the call returns the same result.
 */
export async function claimDelivery(db: Kysely<Tables>, id: number, call: string): Promise<boolean> {
  const { rows } = await sql`
    update facilitator.settlements set delivered_to = ${call}, delivered_at = coalesce(delivered_at, clock_timestamp())
    where id = ${id} and state = 'settled' and (delivered_at is null or delivered_to = ${call})
    returning id`.execute(db)
  return rows.length === 1
}

export const toSettlementSubject = (id: number): string => `settlement:${id}`
