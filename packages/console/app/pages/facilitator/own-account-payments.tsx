import {
  type MicropaymentOrder,
  micropaymentOrders,
  type PaymentStatus,
  payments,
} from '@mintmark/facilitator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { createStatusColumn, createStatusFilter, StatusBadge } from '../../components/badge.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { alignEnd, type Columns } from '../../components/data-table.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { openForm } from '../../components/dialogs.tsx'
import { Notice } from '../../components/notice.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { ResourceSection } from '../../components/resource.tsx'
import { TableSection } from '../../components/table-section.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { toChainId } from './facilitator-format.ts'
import { NativeAmount, PaymentAmount } from './payment-amount.tsx'
import { readSettlementSearch } from './settlement-search.ts'
import { settlementStatuses } from './settlement-status.tsx'

const { stuck: _, ...statuses } = settlementStatuses

/** What a seller does about a payment, by its state. */
const ADVICE: Readonly<Record<string, string>> = {
  unknown:
    'The facilitator looks for the outcome on the chain by itself. Do not deliver yet, and do not ask for another payment: settle the same one again, or wait for the webhook.',
  not_sent: 'Nothing was sent, and nothing was charged. Settle the same payment again.',
}

const columns: Columns<MicropaymentOrder> = {
  createTime: 'Requested',
  status: createStatusColumn(statuses),
  amount: alignEnd('Amount', (order: MicropaymentOrder) => <PaymentAmount settlement={order} />),
  resource: { label: 'Resource', cell: ({ resource }) => <span className="break">{resource}</span> },
  payer: 'Payer',
  network: 'Chain',
}
const getKey = ({ orderNo }: MicropaymentOrder) => orderNo
const openPayment = ({ orderNo }: Pick<MicropaymentOrder, 'orderNo'>) =>
  openDialog((close) => <PaymentDialog orderNo={orderNo} onClose={() => close()} />)

/** The payments that have no outcome yet. Nothing without one. */
export function UnresolvedPayments(): ReactNode {
  const { data } = useOperation(
    micropaymentOrders.list,
    { status: 'unknown', pageSize: 20 },
    { staleTime: 0 },
  )
  return (
    <TableSection
      title="Unresolved payments"
      description={ADVICE.unknown}
      columns={columns}
      rows={data?.list ?? []}
      getKey={getKey}
      onOpen={openPayment}
    />
  )
}

/** The newest payments, with a search. */
export function OwnPayments(): ReactNode {
  return (
    <ResourceSection
      operation={micropaymentOrders.list}
      title="Payments"
      actions={() => [{ label: 'Find a payment', icon: 'search', onSelect: findPayment }]}
      filters={{
        payer: {
          label: 'Search by the payer’s wallet',
          toInput: (text) => {
            const { payer } = readSettlementSearch(text)
            return payer === undefined ? undefined : { payer }
          },
        },
        status: createStatusFilter(statuses),
      }}
      columns={columns}
      getKey={getKey}
      onOpen={openPayment}
      canRefresh
      empty={{
        icon: 'facilitator',
        title: 'No payments yet',
        advice: 'They appear here once your program settles one.',
      }}
    />
  )
}

/** Finds a payment by its transaction or its identifier, and shows it. */
async function findPayment(): Promise<void> {
  const found = await openForm({
    operation: payments.get,
    title: 'Find a payment',
    action: 'Find',
    fields: {
      text: { kind: 'code', isRequired: true, label: 'Transaction or payment identifier' },
    },
    toOperationInput: ({ text }) => {
      const { transaction } = readSettlementSearch(String(text))
      return transaction === undefined ? { identifier: String(text) } : { transaction }
    },
    toFieldPath: () => 'text',
  })
  if (found !== undefined) await openPayment(found)
}

interface PaymentDialogProps {
  readonly orderNo: string
  readonly onClose: () => void
}

function PaymentDialog({ orderNo, onClose }: PaymentDialogProps): ReactNode {
  const query = useOperation(micropaymentOrders.get, { orderNo })
  return (
    <Dialog title="Payment" onClose={onClose}>
      <QueryView query={query}>{(order) => <PaymentDetails order={order} />}</QueryView>
    </Dialog>
  )
}

function PaymentDetails({ order }: { readonly order: MicropaymentOrder }): ReactNode {
  const { status, transaction, network, payer, resource, price, orderNo, createTime, settleTime } = order
  const { data: payment } = useOperation(
    payments.get,
    { transaction, payer },
    { enabled: transaction !== '', staleTime: 0 },
  )
  const advice = ADVICE[status]
  const chainId = toChainId(network)
  return (
    <>
      {advice !== undefined && <Notice tone="info" title="What to do" advice={advice} />}
      <DetailList
        details={{
          Status: <StatusBadge status={status} statuses={statuses} note={payment?.reason ?? ''} />,
          Amount: <PaymentAmount settlement={order} />,
          Refunded:
            order.refunded === '0' ? undefined : (
              <PaymentAmount settlement={{ ...order, amount: order.refunded }} />
            ),
          Resource: <span className="break">{resource}</span>,
          Payer: <Identifier value={payer} />,
          Chain: formatChain(chainId),
          Transaction: <Identifier value={transaction} link={findExplorerLink(chainId, 'tx', transaction)} />,
          Final: payment && (payment.isFinal ? 'Yes' : `Not yet: ${formatFinality(payment)}`),
          Delivered: payment && (payment.isDelivered ? 'The success was returned' : 'Not returned yet'),
          Requested: <Time value={createTime} />,
          Ended: settleTime && <Time value={settleTime} />,
          'Cost of the settle': <NativeAmount wei={price} />,
          Order: <Identifier value={orderNo} />,
        }}
      />
    </>
  )
}

/** Says how far the block of a payment is from being final. */
function formatFinality({ confirmations = 0, finality }: PaymentStatus): string {
  const counted = `${formatCount(confirmations)} of ${finality} blocks`
  return /^\d+$/.test(finality) ? counted : `when the chain calls its block ${finality}`
}
