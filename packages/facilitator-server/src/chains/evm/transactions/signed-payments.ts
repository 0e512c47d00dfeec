import { sql } from 'kysely'
import type { Store } from '../../../database/store.ts'
import type { PaymentOnChain } from '../../../payment/payment.ts'
import type { Execution, Executions } from './execution.ts'

/** Lists the payments that a signed transaction is to make: its own, or those of a batch. */
export async function listPaymentsOf(
  db: Store,
  executions: Pick<Executions, 'find'>,
  hash: string,
): Promise<PaymentOnChain<Execution>[]> {
  const { rows } = await sql<{
    scheme: string
    network: string
    asset: string
    domain: string
    payer: string
    pay_to: string
    nonce: string
    amount: string
    valid_before: string
  }>`
    select s.scheme, s.network, s.asset, s.domain, s.payer, s.pay_to, s.nonce, s.amount::text, s.valid_before::text
    from (
      select t.settlement_id from facilitator.transaction_attempts a
        join facilitator.transactions t on t.id = a.transaction_id where a.hash = ${hash}
      union all
      select t.settlement_id from facilitator.transaction_attempts a
        join facilitator.transactions t on t.batch_id = a.transaction_id where a.hash = ${hash}
    ) p join facilitator.settlements s on s.id = p.settlement_id`.execute(db)
  return rows.map(({ pay_to: payTo, amount, valid_before, ...row }) => ({
    ...row,
    scheme: executions.find(row),
    payTo,
    amount: BigInt(amount),
    validBefore: BigInt(valid_before),
  }))
}
