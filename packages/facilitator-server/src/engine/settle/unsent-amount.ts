import { transaction } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { ReserveRequest } from '../../ledger/settlements/reserve.ts'
import { changeAmount, lockById, type Settlement } from '../../ledger/settlements/settlement.ts'
import { differsAtMostInAmount } from '../../payment/fingerprint.ts'
import type { Payment } from '../../payment/payment.ts'

/**
 * Changes the amount of a settlement that was not sent to that of a request of the same account and payment.
 * Of concurrent requests with different amounts, each may change it, and one reserves it afterwards.
 *
 * @returns Whether the request may reserve the settlement now.
 */
export async function changeUnsentAmount(
  db: Kysely<Tables>,
  id: number,
  { payment, account }: Pick<ReserveRequest, 'payment' | 'account'>,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const settlement = await lockById(trx, id)
    if (settlement?.account_id !== account.id || !isSameUnsent(settlement, payment)) return false
    await changeAmount(trx, id, payment)
    return true
  })
}

/** Whether nothing of a payment was sent when its seller settled it, for this or another amount. */
export const isSameUnsent = (settlement: Settlement, payment: Payment): boolean =>
  settlement.state === 'not_sent' && differsAtMostInAmount(payment, settlement)
