import { stuckOrders } from '@mintmark/admin'
import { alignEnd } from '../../components/data-table.tsx'
import { openDialog } from '../../components/open-dialog.tsx'
import { defineResource } from '../../components/resource.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { formatAge, formatOrderAmount, toConsoleAdvice } from './stuck-decisions.ts'
import { StuckOrderDialog } from './stuck-order-dialog.tsx'
import { StuckStatus } from './stuck-status.tsx'

/** The orders of all projects that need an operator. */
export const StuckOrdersPage = defineResource(stuckOrders.list, {
  title: 'Stuck orders',
  description:
    'Orders of all projects that the server cannot decide by itself: those with money at stake first, then the oldest.',
  canRefresh: true,
  filters: {
    minutes: {
      label: 'Unfinished for',
      initial: '60',
      options: { '60': '1 hour', '10': '10 minutes', '360': '6 hours', '1440': '1 day' },
      toInput: (minutes) => ({ minutes: Number(minutes) }),
    },
    delivery: {
      label: 'Not delivered for',
      initial: '72',
      options: { '72': '3 days', '1': '1 hour', '24': '1 day', '168': '7 days' },
      toInput: (hours) => ({ deliveryHours: Number(hours) }),
    },
  },
  columns: {
    orderNo: {
      label: 'Order',
      cell: ({ orderNo, projectId }) => (
        <>
          <code className="nowrap" title={orderNo}>
            {shortenIdentifier(orderNo)}
          </code>
          <div className="muted">{`Project ${String(projectId)}`}</div>
        </>
      ),
    },
    _status: { label: 'Status', cell: (order) => <StuckStatus order={order} /> },
    payAmount: alignEnd('Price', (order) => (
      <span className="break-long">{formatOrderAmount(order, order.payAmount)}</span>
    )),
    ageMinutes: { label: 'Age', align: 'end', cell: ({ ageMinutes }) => formatAge(ageMinutes) },
    action: {
      label: 'What to do',
      isWideOnly: true,
      cell: ({ action }) => <span className="muted">{toConsoleAdvice(action)}</span>,
    },
  },
  getKey: ({ projectId, orderNo }) => `${projectId} ${orderNo}`,
  onOpen: (order) => void openDialog((close) => <StuckOrderDialog order={order} onClose={() => close()} />),
  empty: {
    icon: 'check',
    title: 'No order is stuck',
    advice: 'The server decides all orders by itself at present.',
  },
})
