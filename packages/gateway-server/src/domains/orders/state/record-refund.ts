import {
  PAYMENT_HASH_TAKEN,
  REFUND_MISMATCH,
  REFUND_NOT_FINAL,
  type RecordOrderRefundInput,
  TOO_MANY_PAYMENTS,
} from '@mintmark/orders'
import { type Refuse, refusal } from '@mintmark/server-kit'
import type { PaymentChains } from '../../../chain/payment-chains.ts'
import { readChain } from '../../../chain/read-chain.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { MAX_CLAIMS } from '../../inventory/order-settings.ts'
import { findOrder, lockOrder } from '../find-order.ts'
import * as store from '../orders-store.ts'
import { payDue } from '../payments/pay-due.ts'
import * as payments from '../payments/payments-store.ts'
import * as refunds from '../payments/refunds-store.ts'
import { isTransactionHash } from './order-rules.ts'

interface RefundContext extends Pick<Refuse, 'invalid'> {
  readonly tenant: Tenant
  readonly chains: PaymentChains
}

/**
 * Reads from the chain what a transaction moved from the seller of an order to its buyer. A recorded refund is
 * not read again.
 */
export async function proveRefund(
  input: RecordOrderRefundInput,
  { tenant, chains, invalid }: RefundContext,
): Promise<refunds.ProvenRefund> {
  if (!isTransactionHash(input.hash)) invalid('hash', 'Expected 0x and 64 hexadecimal digits')
  const hash = input.hash.toLowerCase()
  const order = await findOrder(tenant, input.orderNo)
  const known = (await refunds.listRefunds(tenant, order)).find((refund) => refund.hash === hash)
  if (known !== undefined) return known
  const { sender: from, recipient: to, pay_token_address: token, placed_at_block: afterBlock } = order
  // The same wallet on both sides has paid nobody.
  if (from === to) throw refusal(REFUND_MISMATCH)
  const target = { from, to, token, afterBlock, amount: 1n }
  const observation = await readChain(() => chains.observe(order.chain_id, hash, target))
  if (observation.kind !== 'mined' || !observation.final) throw refusal(REFUND_NOT_FINAL)
  const { outcome, paid, block } = observation
  if (outcome !== 'paid' || paid === undefined) throw refusal(REFUND_MISMATCH)
  return { hash, amount: paid, block }
}

/** Records a proven refund, once, and pays with it what is due of the order's payments. */
export async function recordRefund(
  trx: Tenant,
  orderNo: string,
  refund: refunds.ProvenRefund,
): Promise<store.OrderRow> {
  const order = await lockOrder(trx, orderNo)
  const recorded = await refunds.listRefunds(trx, order)
  if (recorded.some(({ hash }) => hash === refund.hash)) return order
  if (recorded.length >= MAX_CLAIMS) throw refusal(TOO_MANY_PAYMENTS)
  if ((await isAwaitedPayment(trx, order, refund)) || !(await payments.consume(trx, order, refund.hash)))
    throw refusal(PAYMENT_HASH_TAKEN, 'The transaction is recorded for another order')
  await refunds.addRefund(trx, order, refund)
  await payDue(trx, order)
  await store.scheduleCheck(trx, order, 0)
  return await store.change(trx, order, {
    refund_due: await refunds.isRefundDue(trx, order),
    refunded_amount: refunds.sumAmounts([BigInt(order.refunded_amount), refund.amount]).toString(),
  })
}

/** Whether the transfer pays an order that the seller has placed as a buyer: that order is decided first. */
async function isAwaitedPayment(
  trx: Tenant,
  order: store.OrderRow,
  { hash, amount: paid, block }: refunds.ProvenRefund,
): Promise<boolean> {
  const reversed = { ...order, sender: order.recipient, recipient: order.sender }
  return await payments.fitsAnyOther(trx, reversed, { hash, block, paid })
}
