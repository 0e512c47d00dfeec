import { type Order, OrderStatus, orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { useRecordLog } from '../../components/audit/entry-parts.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { Section } from '../../components/detail-list.tsx'
import { confirm } from '../../components/dialogs.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { formatOrderItem } from '../../components/order-columns.tsx'
import { OrderStatusBadge } from '../../components/order-status.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { RecordPage } from '../../components/record-page.tsx'
import { Timeline } from '../../components/timeline.tsx'
import { findExplorerLink } from '../../format/chains.ts'
import { shortenIdentifier } from '../../format/identifier.ts'
import { t } from '../../language/translate.ts'
import { usePathParam } from '../../navigation/use-address.ts'
import { useProject } from '../../session/project-context.tsx'
import { orderTexts } from '../../texts/orders.ts'
import '../../styles/receipt.css'
import { OrderSummary, OrderTechnicalDetails } from './order-details.tsx'
import { mayRefund, OrderRefunds, recordRefund, UnresolvedNotice } from './order-refunds.tsx'
import { listAuditedSteps, listRecordedSteps, type OrderStep } from './order-timeline.ts'

/** One order: what was bought, by whom and for how much, and what happened to it. It prints as a receipt. */
export function OrderPage(): ReactNode {
  const orderNo = usePathParam('orderNo')
  return (
    <RecordPage
      query={useOperation(orders.get, { orderNo })}
      list={{ to: 'orders', title: t('Orders') }}
      title={formatOrderItem}
      titleFirst={t('Order')}
      description={t('Order {orderNo}', { orderNo: shortenIdentifier(orderNo) })}
      status={(order) => <OrderStatusBadge order={order} />}
      actions={(order) => [
        order.orderStatus === OrderStatus.SUCCESS && {
          label: t('Print receipt'),
          isForReaders: true,
          onSelect: () => print(),
        },
        order.orderStatus === OrderStatus.PRE && { label: orderTexts.cancel, onSelect: () => cancel(order) },
        mayRefund(order) && recordRefund(order),
      ]}
    >
      {(order) => <OrderContent order={order} />}
    </RecordPage>
  )
}

function OrderContent({ order }: { readonly order: Order }): ReactNode {
  const needsDecision = order.orderStatus === OrderStatus.UNRESOLVED
  const { projectName } = useProject()
  return (
    <>
      <p className="print-only">
        {projectName} · {t('Order {orderNo}', { orderNo: order.orderNo })}
      </p>
      {needsDecision && (
        <div className="section screen-only">
          <UnresolvedNotice order={order} />
        </div>
      )}
      <div className="section">
        <OrderSummary order={order} />
      </div>
      <div className="screen-only">
        <OrderRefunds order={order} />
        <Section title={t('History')}>
          <OrderHistory order={order} />
        </Section>
        <OrderTechnicalDetails order={order} />
      </div>
    </>
  )
}

/**
 * Shows the steps of an order: those of the audit log for who may read it, otherwise those that the record
 * shows.
 */
function OrderHistory({ order }: { readonly order: Order }): ReactNode {
  const { mayRead, entries, error, isPending } = useRecordLog('orders', order.id)
  if (isPending) return <Skeleton />
  const audited = listAuditedSteps(entries)
  // The log has nothing of orders from before it existed.
  const steps = audited.length > 0 ? audited : listRecordedSteps(order)
  return (
    <>
      <ErrorNotice error={error} />
      <Timeline
        label={t('History of the order')}
        entries={steps.map((step, index) => ({
          key: `${index} ${step.title}`,
          title: step.title,
          time: step.time,
          tone: step.tone,
          details: <StepDetails step={step} chainId={order.chainId} />,
        }))}
      />
      {!mayRead && (
        <p className="muted">
          {t('Times of the steps in between are in the audit log, which owners and auditors may read.')}
        </p>
      )}
    </>
  )
}

interface StepDetailsProps {
  readonly step: OrderStep
  readonly chainId: string
}

function StepDetails({ step: { reason, actor, hash }, chainId }: StepDetailsProps): ReactNode {
  return (
    <span className="row">
      {reason}
      {hash !== '' && <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />}
      {actor !== '' && <span className="faint">{t('by {actor}', { actor })}</span>}
    </span>
  )
}

/** Cancels an order that waits for its payment. */
const cancel = ({ orderNo }: Order) =>
  confirm({
    operation: orders.cancel,
    input: { orderNo },
    title: t('Cancel this order?'),
    text: t('What it reserves is available again. The buyer must place a new order.'),
    action: orderTexts.cancel,
    keep: t('Keep the order'),
    done: t('The order is cancelled'),
  })
