import { type ResolvedOrder, type StuckOrder, stuckOrders } from '@mintmark/admin'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { CancelButton } from '../../components/form-actions.tsx'
import { showToast } from '../../components/toast.tsx'
import { focusFirstInvalid } from '../../form/focus-first-invalid.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'
import {
  type EnteredDecision,
  findDecisionIssues,
  findRefundedPayment,
  toDecisionInput,
} from './decision-input.ts'
import { formatOrderAmount, type StuckDecision } from './stuck-decisions.ts'
import { formatStatusName } from './stuck-status.tsx'

interface DecisionFormProps {
  readonly order: StuckOrder
  readonly decision: StuckDecision
  readonly onDone: () => void
  readonly onCancel: () => void
}

/** Asks for the reason of a decision, and names the order and the amount that it is about. */
export function DecisionForm({ order, decision, onDone, onCancel }: DecisionFormProps): ReactNode {
  const [entered, setEntered] = useState<EnteredDecision>({ reason: '', payment: '', hash: '' })
  const [isChecked, setIsChecked] = useState(false)
  const { decide, isPending, error } = useDecide(order, decision, onDone)
  const issues = isChecked ? findDecisionIssues(decision, entered) : {}
  const refunded = decision === 'refund' ? findRefundedPayment(order, entered) : undefined
  const amount = refunded?.refundDue ?? order.payAmount
  const change = (changes: Partial<EnteredDecision>) =>
    setEntered((previous) => ({ ...previous, ...changes }))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIsChecked(true)
    const isValid = Object.keys(findDecisionIssues(decision, entered)).length === 0
    if (!isValid) focusFirstInvalid(event.currentTarget)
    else if (!isPending) decide(entered)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{texts.consequences[decision](formatOrderAmount(order, amount))}</p>
      <TextField
        label={texts.reason.label}
        description="Those who read the history of the order see it, with your name."
        name="reason"
        value={entered.reason}
        error={issues.reason}
        onChange={(reason) => change({ reason })}
      />
      <PaymentFields
        order={order}
        decision={decision}
        entered={entered}
        hashIssue={issues.hash}
        onChange={change}
      />
      <ErrorNotice error={error} />
      <div className="dialog-actions">
        <CancelButton onCancel={onCancel} />
        <Button kind="danger" type="submit" isPending={isPending}>
          {texts.decisions[decision]}
        </Button>
      </div>
    </form>
  )
}

interface PaymentFieldsProps {
  readonly order: StuckOrder
  readonly decision: StuckDecision
  readonly entered: EnteredDecision
  readonly hashIssue: string | undefined
  readonly onChange: (changes: Partial<EnteredDecision>) => void
}

/** The fields about the payment that counts, or that was paid back. */
function PaymentFields({ order, decision, entered, hashIssue, onChange }: PaymentFieldsProps): ReactNode {
  const { payment, hash } = entered
  const setPayment = (value: string) => onChange({ payment: value })
  const setHash = (value: string) => onChange({ hash: value })
  const toOption = ({ hash: value }: { readonly hash: string }) => ({
    value,
    label: shortenIdentifier(value),
  })
  if (decision === 'success') {
    const options = [
      { value: '', label: 'The reported transaction that pays the order' },
      ...order.payments.map(toOption),
      { value: 'other', label: 'Another transaction' },
      { value: 'none', label: 'None: the buyer paid in another way' },
    ]
    return (
      <>
        <SelectField label="Payment that counts" value={payment} options={options} onChange={setPayment} />
        {payment === 'other' && (
          <TextField {...texts.hash} isCode value={hash} error={hashIssue} onChange={setHash} />
        )}
      </>
    )
  }
  if (decision !== 'refund') return null
  const due = order.payments.filter(({ refundDue }) => refundDue !== '0')
  const options = due.map(({ hash: value, refundDue }) => ({
    value,
    label: `${shortenIdentifier(value)}: ${formatOrderAmount(order, refundDue)}`,
  }))
  return (
    <>
      <SelectField
        label="Payment that was paid back"
        value={findRefundedPayment(order, entered)?.hash ?? ''}
        options={options}
        onChange={setPayment}
      />
      <TextField
        label="Transaction of the refund"
        description="0x and 64 hexadecimal digits. Leave it empty if it was paid back in another way."
        isCode
        isOptional
        value={hash}
        error={hashIssue}
        onChange={setHash}
      />
    </>
  )
}

/** Returns a function that sends a decision. */
function useDecide(order: StuckOrder, decision: StuckDecision, onDone: () => void) {
  const resolve = useWrite(stuckOrders.resolve)
  const refund = useWrite(stuckOrders.recordRefund)
  const delivery = useWrite(stuckOrders.confirmDelivery)
  const onSuccess = ({ orderNo, status }: ResolvedOrder) => {
    showToast(`Order ${shortenIdentifier(orderNo)}: ${formatStatusName(status)}`)
    onDone()
  }
  const decide = (entered: EnteredDecision) => {
    const { shared, success, refund: refunded } = toDecisionInput(order, entered)
    if (decision === 'success') resolve.mutate({ ...shared, outcome: 'success', ...success }, { onSuccess })
    if (decision === 'failed') resolve.mutate({ ...shared, outcome: 'failed' }, { onSuccess })
    if (decision === 'refund') refund.mutate({ ...shared, ...refunded }, { onSuccess })
    if (decision === 'delivery') delivery.mutate(shared, { onSuccess })
  }
  return {
    decide,
    isPending: resolve.isPending || refund.isPending || delivery.isPending,
    error: resolve.error ?? refund.error ?? delivery.error,
  }
}
