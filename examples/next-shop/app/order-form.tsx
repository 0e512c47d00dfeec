'use client'

import { useActionState, useId } from 'react'
import { placeOrder } from './actions.ts'

export interface OrderFormProps {
  readonly listingId: number
  readonly formKey: string
}

export function OrderForm({ listingId, formKey }: OrderFormProps) {
  const [{ problem, entered }, action, isPending] = useActionState(placeOrder, { problem: '', entered: {} })
  const id = useId()
  return (
    <form action={action}>
      <input type="hidden" name="key" value={formKey} />
      <input type="hidden" name="listingId" value={listingId} />
      <label htmlFor={`${id}-wallet`}>Your wallet</label>
      <input
        id={`${id}-wallet`}
        name="wallet"
        defaultValue={entered.wallet}
        placeholder="0x…"
        pattern="\s*0x[0-9a-fA-F]{40}\s*"
        title="0x and 40 digits"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <label htmlFor={`${id}-quantity`}>Quantity</label>
      <input
        id={`${id}-quantity`}
        name="quantity"
        type="number"
        min="1"
        max="5"
        defaultValue={entered.quantity ?? '1'}
        required
      />
      <button type="submit" disabled={isPending}>
        {isPending ? 'Ordering…' : 'Order'}
      </button>
      <p role="alert" className="problem">
        {problem}
      </p>
    </form>
  )
}
