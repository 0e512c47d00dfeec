import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { type Enqueue, payerSubject, recordEvent } from '../../events/record-event.ts'

export class AccountNotFoundError extends Error {
  override readonly name = 'AccountNotFoundError'
  constructor(idOrPayer: string | number) {
    super(`Account ${idOrPayer} does not exist`)
  }
}

/**
 * Locks a wallet until the transaction ends, whether or not it has an account, so that no deposit is credited
 * to suspense while the wallet's account is created.
 */
export async function lockPayer(trx: Transaction<Tables>, payer: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mintmark payer ${payer}`}, 0))`.execute(trx)
}

/**
 * Adds to an account's available balance and locks its row. The caller writes the ledger transfer.
 *
 * @throws AccountNotFoundError
 */
export async function addAvailable(
  trx: Transaction<Tables>,
  account: number,
  amount: bigint,
): Promise<{ payer: string; available: string }> {
  const { rows } = await sql<{ payer: string; available: string }>`
    update facilitator.accounts set available = available + ${amount.toString()}::numeric
    where id = ${account} returning payer, available`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new AccountNotFoundError(account)
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
