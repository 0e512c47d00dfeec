import { type ResolvedOrder, type StuckOrder, stuckOrders } from '@mintmark/admin'
import { openForm } from '../../components/dialogs.tsx'
import type { FieldDefinitions, FormValues } from '../../form/form-values.ts'
import { hashField } from '../../form/hash-field.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'
import { createReasonField, formatOrderAmount, type StuckDecision } from './stuck-decisions.ts'
import { formatStatusName } from './stuck-status.tsx'

const isRequired = true

type Payments = Pick<StuckOrder, 'payments'>

const listDue = ({ payments }: Payments) => payments.filter(({ refundDue }) => refundDue !== '0')

/** Lists the fields of a decision: the reason, and the payment that counts or that was paid back. */
export function listDecisionFields(
  order: StuckOrder,
  decision: StuckDecision,
  { payment }: FormValues,
): FieldDefinitions {
  const reason = createReasonField('history of the order')
  if (decision === 'success') {
    const reported = order.payments.map(({ hash }) => ({ value: hash, label: shortenIdentifier(hash) }))
    const options = [
      { value: 'reported', label: 'The reported transaction that pays the order' },
      ...reported,
      { value: 'other', label: 'Another transaction' },
      { value: 'none', label: 'None: the buyer paid in another way' },
    ]
    return {
      reason,
      payment: { kind: 'select', isRequired, label: 'Payment that counts', options },
      ...(payment === 'other' && { hash: { ...hashField, isRequired } }),
    }
  }
  if (decision !== 'refund') return { reason }
  const options = listDue(order).map(({ hash, refundDue }) => ({
    value: hash,
    label: `${shortenIdentifier(hash)}: ${formatOrderAmount(order, refundDue)}`,
  }))
  return {
    reason,
    ...(options.length > 0 && {
      payment: { kind: 'select', isRequired, label: 'Payment that was paid back', options },
    }),
    hash: {
      ...hashField,
      label: 'Transaction of the refund',
      description: '0x and 64 hexadecimal digits. Leave it empty if it was paid back in another way.',
    },
  }
}

type Decided = Readonly<Record<string, unknown>>

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns which payment counts, as the operation takes it. */
export function toCountedPayment({ payment, hash }: Decided) {
  if (payment === 'none') return { withoutPayment: true }
  return payment === 'reported' ? {} : { hash: toText(payment === 'other' ? hash : payment) }
}

/** Asks for the reason of a decision, and names the order and the amount that it is about. */
export function decideOrder(order: StuckOrder, decision: StuckDecision): Promise<ResolvedOrder | undefined> {
  const { projectId, orderNo, payAmount } = order
  const due = listDue(order)
  const describe = (amount: string) => texts.consequences[decision](formatOrderAmount(order, amount))
  const toShared = ({ reason }: Decided) => ({ projectId, orderNo, reason: toText(reason) ?? '' })
  const form = {
    fields: (values: FormValues) => listDecisionFields(order, decision, values),
    title: texts.questions[decision](orderNo),
    action: texts.decisions[decision],
    kind: 'danger',
    done: ({ status }: ResolvedOrder) => `Order ${shortenIdentifier(orderNo)}: ${formatStatusName(status)}`,
  } as const
  switch (decision) {
    case 'success':
    case 'failed':
      return openForm({
        ...form,
        operation: stuckOrders.resolve,
        ...(decision === 'success' && { entered: { payment: 'reported' } }),
        text: describe(payAmount),
        toOperationInput: (input) => ({
          ...toShared(input),
          outcome: decision,
          ...(decision === 'success' && toCountedPayment(input)),
        }),
      })
    case 'refund':
      return openForm({
        ...form,
        operation: stuckOrders.recordRefund,
        entered: { payment: due[0]?.hash ?? '' },
        preview: ({ payment }) => (
          <p>{describe(due.find(({ hash }) => hash === payment)?.refundDue ?? payAmount)}</p>
        ),
        toOperationInput: ({ payment, hash, ...input }) => ({
          ...toShared(input),
          payment: toText(payment),
          hash: toText(hash),
        }),
      })
    case 'delivery':
      return openForm({
        ...form,
        operation: stuckOrders.confirmDelivery,
        text: describe(payAmount),
        toOperationInput: toShared,
      })
  }
}
