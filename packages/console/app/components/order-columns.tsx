import type { Order } from '@mintmark/orders'
import { formatCount } from '../format/number.ts'
import { formatPayToken } from '../format/pay-token.ts'
import { ProjectLink } from '../navigation/project-link.tsx'
import { Amount } from './amount.tsx'
import { Identifier } from './copy-button.tsx'
import type { Column } from './data-table.tsx'
import { OrderStatusBadge } from './order-status.tsx'
import { Time } from './time.tsx'

/** The columns of lists of orders. */
export const orderColumns: readonly Column<Order>[] = [
  {
    key: 'item',
    header: 'Item',
    cell: (order) => (
      <ProjectLink to={`orders/${order.orderNo}`} className="row-link">
        {formatOrderItem(order)}
      </ProjectLink>
    ),
  },
  { key: 'number', header: 'Number', cell: ({ orderNo }) => <Identifier value={orderNo} /> },
  { key: 'status', header: 'Status', cell: (order) => <OrderStatusBadge order={order} /> },
  {
    key: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ payAmount, payTokenDecimals, chainId, payTokenAddress }) => (
      <Amount
        baseUnits={payAmount}
        decimals={payTokenDecimals}
        symbol={formatPayToken(chainId, payTokenAddress)}
      />
    ),
  },
  { key: 'buyer', header: 'Buyer', cell: ({ recipient }) => <Identifier value={recipient} /> },
  { key: 'placed', header: 'Placed', cell: ({ createTime }) => <Time value={createTime} /> },
]

/** Formats what was ordered: the name of the token, with the quantity if there are several. */
export function formatOrderItem({ nftName, quantity }: Order): string {
  const name = nftName === '' ? 'Unnamed token' : nftName
  return quantity === 1 ? name : `${formatCount(quantity)} × ${name}`
}
