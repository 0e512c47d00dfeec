import { orders } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/detail-list.tsx'
import { orderColumns } from '../../components/order-columns.tsx'
import { ProjectLink } from '../../navigation/project-link.tsx'

const { nftName, orderStatus, payAmount, createTime } = orderColumns
const columns = { nftName, orderStatus, payAmount, createTime }

/** The newest orders. Nothing in a project without orders. */
export function NewestOrders(): ReactNode {
  const { data } = useOperation(orders.list, { pageSize: 5 })
  if (data === undefined || data.list.length === 0) return null
  return (
    <Section title="Newest orders" actions={<ProjectLink to="orders">All orders</ProjectLink>}>
      <DataTable
        label="Newest orders"
        columns={columns}
        rows={data.list}
        getKey={({ orderNo }) => orderNo}
        link={({ orderNo }) => `orders/${orderNo}`}
      />
    </Section>
  )
}
