import { type Order, OrderStatus, orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { type Action, ActionButtons } from '../../components/actions.tsx'
import { CopiedText, Identifier } from '../../components/copy-button.tsx'
import { DetailList, type Details, Section } from '../../components/detail-list.tsx'
import { confirm, openForm } from '../../components/dialogs.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { OrderAmount } from '../../components/order-columns.tsx'
import { formatOrderReason } from '../../components/order-status.tsx'
import { Time } from '../../components/time.tsx'
import { hashField } from '../../form/hash-field.ts'
import { findExplorerLink, formatChain } from '../../format/chains.ts'

/** Reasons for which a project can decline the payment itself. An operator decides about the others. */
const DECLINABLE = new Set(['not_enough', 'no_stock'])

/** Says what an order without success needs, and lets a manager give the money back. */
export function UnresolvedNotice({ order }: { readonly order: Order }): ReactNode {
  const reason = formatOrderReason(order.reason)
  if (!DECLINABLE.has(order.reason)) {
    const advice = `${reason} An operator decides whether the order counts as paid.`.trim()
    return <Notice tone="warning" title="This order needs a decision" advice={advice} />
  }
  return (
    <Notice
      tone="warning"
      title="This order needs a decision"
      advice={`${reason} Give the money back, or ask an operator to count the order as paid.`}
      action={<ActionButtons actions={[{ label: 'Give the money back', onSelect: () => decline(order) }]} />}
    />
  )
}

const decline = ({ orderNo }: Order) =>
  confirm({
    operation: orders.decline,
    input: { orderNo },
    title: 'Give the money back?',
    text: 'The order ends without a sale, and what it reserves is available again. Then the seller sends the money to the buyer: this page shows how much. This cannot be undone.',
    action: 'Give the money back',
    keep: 'Keep the order',
    done: ({ refundDue }) =>
      refundDue ? 'The order is declined. Send the money to the buyer now' : 'The order is declined',
  })

const record = ({ orderNo }: Order) =>
  openForm({
    operation: orders.recordRefund,
    fields: {
      hash: { ...hashField, isRequired: true },
    },
    fixed: { orderNo },
    title: 'Record a refund',
    text: 'The gateway checks the transaction on the chain. Its block must be final, which takes up to a few minutes.',
    action: 'Record refund',
    done: ({ due }) =>
      due === '0' ? 'The refund is recorded' : 'The refund is recorded. A part is still due',
  })

/** Lets a manager record a refund. */
export const recordRefund = (order: Order): Action => ({
  label: 'Record refund',
  onSelect: () => record(order),
})

/** Whether a refund that the seller does not owe can be recorded: the order was paid. */
export const mayRefund = ({ orderStatus, txId, refundDue }: Order): boolean =>
  orderStatus === OrderStatus.SUCCESS && txId !== '' && !refundDue

/** Shows what the seller owes the buyer, how to send it, and what was paid back. */
export function OrderRefunds({ order }: { readonly order: Order }): ReactNode {
  const { data, error, refetch } = useOperation(orders.getRefunds, { orderNo: order.orderNo })
  if (data === undefined) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  const { due, refunded, refunds } = data
  // An order is declined first, so that its payment cannot count for another one meanwhile.
  const isToSend = due !== '0' && order.orderStatus !== OrderStatus.UNRESOLVED
  if (!isToSend && refunds.length === 0) return null
  const format = (baseUnits: string) => <OrderAmount order={order} baseUnits={baseUnits} />
  const transfer: Details = {
    'To send': format(due),
    'From the wallet of the seller': <CopiedText text={order.sender} />,
    'To the wallet of the buyer': <CopiedText text={order.recipient} />,
  }
  const paidBack = refunds.map(({ hash, amount, createTime }) => (
    <span key={hash} className="row">
      {format(amount)}
      <Identifier value={hash} link={findExplorerLink(order.chainId, 'tx', hash)} />
      <Time value={createTime} />
    </span>
  ))
  return (
    <Section
      title="Refund"
      actions={isToSend && <ActionButtons actions={[{ ...recordRefund(order), kind: 'primary' }]} />}
    >
      {isToSend && (
        <p>
          {`Send this from the wallet of the seller, on ${formatChain(order.chainId)}, and record the transaction. A transfer from another wallet cannot be recorded.`}
        </p>
      )}
      <DetailList
        details={{
          ...(isToSend && transfer),
          ...(refunds.length > 0 && { 'Paid back': paidBack }),
          ...(refunds.length > 1 && { 'Paid back in all': format(refunded) }),
        }}
      />
    </Section>
  )
}
