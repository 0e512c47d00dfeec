'use server'

import { orders } from '@mintmark/orders'
import { redirect } from 'next/navigation'
import * as v from 'valibot'
import { getGateway } from '../lib/gateway.ts'
import { grantAccess } from '../lib/order-access.ts'
import { findOwnOrder } from '../lib/orders.ts'
import { describeProblem } from '../lib/problems.ts'
import { findListing } from '../lib/shop.ts'

/** What a form shows after it was sent: what is wrong, and what was entered. */
export interface FormState {
  readonly problem: string
  readonly entered: Readonly<Record<string, string>>
}

// Anybody can call an action with any values. It takes no price, no seller and no status: those come from the
// gateway.
const NewOrder = v.object({
  key: v.pipe(v.string(), v.uuid()),
  listingId: v.pipe(v.string(), v.regex(/^\d{1,12}$/), v.transform(Number)),
  quantity: v.pipe(v.string(), v.regex(/^[1-5]$/, 'Choose 1 to 5.'), v.transform(Number)),
  wallet: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^0x[0-9a-fA-F]{40}$/, 'Enter the address of your wallet: 0x and 40 digits.'),
  ),
})

const Payment = v.object({
  orderNo: v.pipe(v.string(), v.maxLength(64)),
  hash: v.pipe(
    v.string(),
    v.trim(),
    v.regex(/^0x[0-9a-fA-F]{64}$/, 'Enter the hash of your transaction: 0x and 64 digits.'),
  ),
})

const FIELDS = ['wallet', 'quantity', 'hash']

/** Places an order, and opens its page. A form that is sent twice places one order. */
export async function placeOrder(_: FormState, form: FormData): Promise<FormState> {
  const input = v.safeParse(NewOrder, Object.fromEntries(form))
  if (!input.success) return toState(form, input.issues[0].message)
  const { key, listingId, quantity, wallet } = input.output
  let orderNo: string
  try {
    const { marketType } = await findListing(listingId)
    const order = await orders.preOrder(
      getGateway(),
      { marketType, listingId, quantity, recipient: wallet },
      // A corrected form is another order.
      { idempotencyKey: `${key}/${quantity}/${wallet}` },
    )
    orderNo = order.orderNo
  } catch (error) {
    return toState(form, describeProblem(error))
  }
  await grantAccess(orderNo)
  redirect(`/orders/${orderNo}`)
}

/** Reports the transaction that pays an order. The chain decides whether it does. */
export async function reportPayment(_: FormState, form: FormData): Promise<FormState> {
  const input = v.safeParse(Payment, Object.fromEntries(form))
  if (!input.success) return toState(form, input.issues[0].message)
  const { orderNo, hash } = input.output
  try {
    const order = await findOwnOrder(orderNo)
    if (order === undefined) return toState(form, 'You have no such order.')
    await orders.payOrder(getGateway(), { orderNo, hash, recipient: order.recipient })
  } catch (error) {
    return toState(form, describeProblem(error))
  }
  redirect(`/orders/${orderNo}`)
}

/**
 * Returns the state of a form that was refused. React resets the fields of a form that was sent, so it has
 * what was entered.
 */
function toState(form: FormData, problem: string): FormState {
  const entered = FIELDS.map((name) => [name, String(form.get(name) ?? '')])
  return { problem, entered: Object.fromEntries(entered) }
}
