import { sql, type Transaction } from 'kysely'
import { NoSuchAccount } from './no-such-account.ts'
import type { Tables } from '../../tables.ts'
import { type Enqueue, payerSubject, recordEvent } from '../../events/record-event.ts'

/** Adds to what an account can spend, and locks its row; the caller writes the ledger transfer. @throws NoSuchAccount */
export async function addAvailable(
  trx: Transaction<Tables>,
  account: number,
  amount: bigint,
): Promise<{ payer: string; available: string }> {
  const { rows } = await sql<{ payer: string; available: string }>`
    update facilitator.accounts set available = available + ${amount.toString()}::numeric
    where id = ${account} returning payer, available`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new NoSuchAccount(account)
  return row
}

export async function recordCredit(
  trx: Transaction<Tables>,
  credit: { account: number; payer: string; amount: bigint; available: string },
  enqueue?: Enqueue,
): Promise<void> {
  const { account, payer, amount, available } = credit
  const data = { payer, balance: available, amount: amount.toString() }
  await recordEvent(
    trx,
    { subject: payerSubject(payer), type: 'payer_balance.credited', account, data },
    enqueue,
  )
}
