import { type StuckOrder, stuckOrders } from '@mintmark/admin'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Button } from '../../components/button.tsx'
import type { Column } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { Toolbar } from '../../components/filters.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState } from '../../components/placeholders.tsx'
import { QueryTable } from '../../components/query-table.tsx'
import { shortenIdentifier } from '../../format/identifier.ts'
import { useSearchState } from '../../navigation/use-address.ts'
import { healthTexts, stuckOrdersTexts as texts } from '../../texts/operator.ts'
import { formatAge, formatOrderAmount, toConsoleAdvice } from './stuck-decisions.ts'
import { StuckOrderDialog } from './stuck-order-dialog.tsx'
import { StuckStatus } from './stuck-status.tsx'

/** The defaults of the operation. */
const DEFAULT_MINUTES = '60'
const DEFAULT_DELIVERY_HOURS = '72'

/** The orders of all projects that need an operator. */
export function StuckOrdersPage(): ReactNode {
  const [{ minutes, delivery }, setSearch] = useSearchState('minutes', 'delivery')
  const query = useOperation(
    stuckOrders.list,
    {
      ...(isNumber(minutes) && { minutes: Number(minutes) }),
      ...(isNumber(delivery) && { deliveryHours: Number(delivery) }),
    },
    { staleTime: 0, keepPrevious: true },
  )
  const [open, setOpen] = useState<StuckOrder>()
  return (
    <>
      <PageHeader
        title={texts.title}
        context="Operator"
        description="Orders of all projects that the server cannot decide by itself: those with money at stake first, then the oldest."
        actions={
          <Button onClick={() => void query.refetch()} isPending={query.isFetching}>
            {healthTexts.refresh}
          </Button>
        }
      />
      <Toolbar
        isFiltered={minutes !== undefined || delivery !== undefined}
        onClear={() => setSearch({ minutes: undefined, delivery: undefined })}
      >
        <SelectField
          label="Unfinished for"
          value={minutes ?? DEFAULT_MINUTES}
          options={toOptions(texts.minutes)}
          onChange={(value) => setSearch({ minutes: value })}
        />
        <SelectField
          label="Not delivered for"
          value={delivery ?? DEFAULT_DELIVERY_HOURS}
          options={toOptions(texts.deliveryHours)}
          onChange={(value) => setSearch({ delivery: value })}
        />
      </Toolbar>
      <QueryTable
        query={query}
        empty={
          <EmptyState
            icon="check"
            title="No order is stuck"
            advice="The server decides all orders by itself at present."
          />
        }
        label={texts.title}
        columns={listColumns(setOpen)}
        getKey={({ projectId, orderNo }) => `${projectId} ${orderNo}`}
      />
      {open !== undefined && <StuckOrderDialog order={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^\d{1,6}$/.test(text)
}

function toOptions(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }))
}

function listColumns(onOpen: (order: StuckOrder) => void): readonly Column<StuckOrder>[] {
  return [
    {
      key: 'order',
      header: 'Order',
      cell: (order) => (
        <>
          <button
            type="button"
            className="link-button row-link"
            title={order.orderNo}
            onClick={() => onOpen(order)}
          >
            <code className="nowrap">{shortenIdentifier(order.orderNo)}</code>
          </button>
          <div className="muted">{texts.project(String(order.projectId))}</div>
        </>
      ),
    },
    { key: 'status', header: 'Status', cell: (order) => <StuckStatus order={order} /> },
    {
      key: 'amount',
      header: 'Price',
      align: 'end',
      cell: (order) => <span className="break-long">{formatOrderAmount(order, order.payAmount)}</span>,
    },
    {
      key: 'age',
      header: 'Age',
      align: 'end',
      cell: ({ ageMinutes }) => formatAge(ageMinutes),
    },
    {
      key: 'action',
      header: 'What to do',
      isWideOnly: true,
      cell: ({ action }) => <span className="muted">{toConsoleAdvice(action)}</span>,
    },
  ]
}
