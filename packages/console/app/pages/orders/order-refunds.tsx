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
import { t } from '../../language/translate.ts'

/** Reasons for which a project can decline the payment itself. An operator decides about the others. */
const DECLINABLE = new Set(['not_enough', 'no_stock'])

/** Says what an order without success needs, and lets a manager give the money back. */
export function UnresolvedNotice({ order }: { readonly order: Order }): ReactNode {
  const reason = formatOrderReason(order.reason)
  if (!DECLINABLE.has(order.reason)) {
    const advice = t('{reason} An operator decides whether the order counts as paid.', { reason }).trim()
    return <Notice tone="warning" title={t('This order needs a decision')} advice={advice} />
  }
  return (
    <Notice
      tone="warning"
      title={t('This order needs a decision')}
      advice={t('{reason} Give the money back, or ask an operator to count the order as paid.', { reason })}
      action={
        <ActionButtons actions={[{ label: t('Give the money back'), onSelect: () => decline(order) }]} />
      }
    />
  )
}

const decline = ({ orderNo }: Order) =>
  confirm({
    operation: orders.decline,
    input: { orderNo },
    title: t('Give the money back?'),
    text: t(
      'The order ends without a sale, and what it reserves is available again. Then the seller sends the money to the buyer: this page shows how much. This cannot be undone.',
    ),
    action: t('Give the money back'),
    keep: t('Keep the order'),
    done: ({ refundDue }) =>
      refundDue ? t('The order is declined. Send the money to the buyer now') : t('The order is declined'),
  })

const record = ({ orderNo }: Order) =>
  openForm({
    operation: orders.recordRefund,
    fields: {
      hash: { ...hashField, isRequired: true },
    },
    fixed: { orderNo },
    title: t('Record a refund'),
    text: t(
      'The gateway checks the transaction on the chain. Its block must be final, which takes up to a few minutes.',
    ),
    action: t('Record refund'),
    done: ({ due }) =>
      due === '0' ? t('The refund is recorded') : t('The refund is recorded. A part is still due'),
  })

/** Lets a manager record a refund. */
export const recordRefund = (order: Order): Action => ({
  label: t('Record refund'),
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
    [t('To send')]: format(due),
    [t('From the wallet of the seller')]: <CopiedText text={order.sender} />,
    [t('To the wallet of the buyer')]: <CopiedText text={order.recipient} />,
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
      title={t('Refund')}
      actions={isToSend && <ActionButtons actions={[{ ...recordRefund(order), kind: 'primary' }]} />}
    >
      {isToSend && (
        <p>
          {t(
            'Send this from the wallet of the seller, on {chainId}, and record the transaction. A transfer from another wallet cannot be recorded.',
            { chainId: formatChain(order.chainId) },
          )}
        </p>
      )}
      <DetailList
        details={{
          ...(isToSend && transfer),
          ...(refunds.length > 0 && { [t('Paid back')]: paidBack }),
          ...(refunds.length > 1 && { [t('Paid back in all')]: format(refunded) }),
        }}
      />
    </Section>
  )
}
