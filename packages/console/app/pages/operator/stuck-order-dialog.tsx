import type { StuckOrder } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { alignEnd, type Columns, DataTable } from '../../components/data-table.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import { formatOrderReason } from '../../components/order-status.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { stuckOrdersTexts as texts } from '../../texts/operator.ts'
import { decideOrder } from './decide-order.tsx'
import {
  formatAge,
  formatOrderAmount,
  listDecisions,
  type StuckDecision,
  toConsoleAdvice,
} from './stuck-decisions.ts'
import { StuckStatus } from './stuck-status.tsx'

interface StuckOrderDialogProps {
  readonly order: StuckOrder
  readonly onClose: () => void
}

/**
 * Shows an order that needs an operator, and what to do. A dialog confirms each decision, with its amount.
 */
export function StuckOrderDialog({ order, onClose }: StuckOrderDialogProps): ReactNode {
  const decide = async (decision: StuckDecision) => {
    if ((await decideOrder(order, decision)) !== undefined) onClose()
  }
  return (
    <Dialog title={`Order ${order.orderNo}`} size="wide" onClose={onClose}>
      <Notice tone="info" title="What to do" advice={toConsoleAdvice(order.action)} />
      <OrderDetails order={order} />
      <Payments order={order} />
      <div className="dialog-actions">
        {listDecisions(order).map((each) => (
          <Button key={each} onClick={() => void decide(each)}>
            {texts.decisions[each]}
          </Button>
        ))}
      </div>
    </Dialog>
  )
}

function OrderDetails({ order }: { readonly order: StuckOrder }): ReactNode {
  const { chainId, seller, buyer, projectId, reason, payAmount, ageMinutes } = order
  const linkTo = (address: string) => findExplorerLink(chainId, 'address', address)
  return (
    <DetailList
      details={{
        Status: (
          <>
            <StuckStatus order={order} />
            {reason !== '' && <div className="muted">{formatOrderReason(reason)}</div>}
          </>
        ),
        Price: formatOrderAmount(order, payAmount),
        Project: `Project ${String(projectId)}`,
        Age: formatAge(ageMinutes),
        Seller: <Identifier value={seller} link={linkTo(seller)} />,
        Buyer: <Identifier value={buyer} link={linkTo(buyer)} />,
        Chain: formatChain(chainId),
      }}
    />
  )
}

type StuckPayment = StuckOrder['payments'][number]

function Payments({ order }: { readonly order: StuckOrder }): ReactNode {
  const columns: Columns<StuckPayment> = {
    hash: {
      label: 'Transaction',
      cell: ({ hash }) => <Identifier value={hash} link={findExplorerLink(order.chainId, 'tx', hash)} />,
    },
    outcome: {
      label: 'Outcome',
      cell: ({ outcome }) => (outcome === '' ? 'Not final yet' : formatOrderReason(outcome)),
    },
    paid: alignEnd('Paid', ({ paid }) => (paid === '0' ? 'Unknown' : formatOrderAmount(order, paid))),
    refundDue: alignEnd('To be paid back', ({ refundDue }) => formatOrderAmount(order, refundDue)),
  }
  return (
    <section className="stack-small">
      <h3>{texts.details.payments}</h3>
      {order.payments.length === 0 ? (
        <p className="muted">No transaction was reported.</p>
      ) : (
        <DataTable
          label={texts.details.payments}
          columns={columns}
          rows={order.payments}
          getKey={({ hash }) => hash}
        />
      )}
    </section>
  )
}
