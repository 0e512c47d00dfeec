import type { OrderRefunds, RefundTransfer } from '@mintmark/orders'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import type { Tenant } from '../../database/tenant.ts'
import type { OrderRow } from './orders-store.ts'
import { listClaims, sumPaid } from './payments/payments-store.ts'
import { getDueOf, listRefunds, sumAmounts } from './payments/refunds-store.ts'

/** Reads what the seller of an order owes its buyer, and what was paid back. */
export async function readRefunds(tenant: Tenant, order: OrderRow): Promise<OrderRefunds> {
  const claims = await listClaims(tenant, order)
  const due = sumAmounts(claims.map(getDueOf))
  const refunds = await listRefunds(tenant, order)
  const paid = await sumPaid(tenant, order)
  const kept = BigInt(paid) - BigInt(order.refunded_amount)
  return {
    due: due.toString(),
    paid,
    refunded: order.refunded_amount,
    kept: (kept > 0n ? kept : 0n).toString(),
    ...(due > 0n && { transfer: transferOf(order, due) }),
    refunds: refunds.map(({ hash, amount, block, recordedAt }) => ({
      hash,
      amount: amount.toString(),
      blockNumber: block,
      createTime: recordedAt.toISOString(),
    })),
  }
}

function transferOf(order: OrderRow, amount: bigint): RefundTransfer {
  const { chain_id: chainId, sender: from, recipient, pay_token_address: token } = order
  if (token === '') return { chainId, from, to: recipient, value: amount.toString(), data: '0x' }
  const args = [recipient as Address, amount] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  return { chainId, from, to: token, value: '0', data }
}
