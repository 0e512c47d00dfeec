'use client'

import { useActionState, useId } from 'react'
import { reportPayment } from '../../actions.ts'

export function PaymentForm({ orderNo }: { readonly orderNo: string }) {
  const [{ problem, entered }, action, isPending] = useActionState(reportPayment, {
    problem: '',
    entered: {},
  })
  const id = useId()
  return (
    <form action={action}>
      <input type="hidden" name="orderNo" value={orderNo} />
      <label htmlFor={id}>Hash of your transaction</label>
      <input
        id={id}
        name="hash"
        defaultValue={entered.hash}
        placeholder="0x…"
        pattern="\s*0x[0-9a-fA-F]{64}\s*"
        title="0x and 64 digits"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <button type="submit" disabled={isPending}>
        {isPending ? 'Sending…' : 'I have paid'}
      </button>
      <p role="alert" className="problem">
        {problem}
      </p>
    </form>
  )
}
