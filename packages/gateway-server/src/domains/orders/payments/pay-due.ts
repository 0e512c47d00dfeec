import type { Tenant } from '../../../database/tenant.ts'
import type { OrderRow } from '../orders-store.ts'
import { type Claim, listClaims } from './payments-store.ts'
import { getDueOf, listRefunds, type ProvenRefund, payBack, sum } from './refunds-store.ts'

/**
 * Pays what is due with the recorded refunds. A refund pays only what was paid before it, each unit once,
 * whichever of the two was recorded first.
 */
export async function payDue(trx: Tenant, order: OrderRow): Promise<void> {
  const recorded = await listRefunds(trx, order)
  let claims = await listClaims(trx, order)
  for (const claim of claims) {
    const amount = getPayable(claim, claims, recorded)
    if (amount <= 0n) continue
    const paid = { ...claim, refunded_amount: (BigInt(claim.refunded_amount) + amount).toString() }
    claims = claims.map((each) => (each === claim ? paid : each))
    const refund = recorded.findLast(({ block }) => block >= claim.mined_block)
    await payBack(trx, order, paid, refund?.hash ?? '')
  }
}

/** Returns what the refunds of an order can pay of what is due of a payment. */
function getPayable(claim: Claim, claims: readonly Claim[], recorded: readonly ProvenRefund[]): bigint {
  let payable = getDueOf(claim)
  // An earlier payment may have used up refunds that came after this one.
  for (const { mined_block: since } of claims) {
    if (since > claim.mined_block) continue
    const unspent = getUnspent(since, claims, recorded)
    if (unspent < payable) payable = unspent
  }
  return payable
}

/** Returns what the refunds since a block moved beyond what was paid back of the payments since then. */
function getUnspent(since: number, claims: readonly Claim[], recorded: readonly ProvenRefund[]): bigint {
  const moved = recorded.filter(({ block }) => block >= since).map(({ amount }) => amount)
  const spent = claims
    .filter(({ mined_block: block }) => block >= since)
    .map((claim) => BigInt(isDoneBy(claim, recorded) ? claim.refund_amount : claim.refunded_amount))
  return sum(moved) - sum(spent)
}

/** Whether a recorded refund has paid all of a payment back, as an operator may have decided. */
const isDoneBy = ({ refund, refund_hash: by }: Claim, recorded: readonly ProvenRefund[]) =>
  refund === 'done' && recorded.some(({ hash }) => hash === by)
