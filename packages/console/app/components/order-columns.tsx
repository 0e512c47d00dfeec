import type { Order } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { formatCount } from '../format/number.ts'
import { formatPayToken } from '../format/pay-token.ts'
import { t } from '../language/translate.ts'
import { Amount } from './amount.tsx'
import { Identifier } from './copy-button.tsx'
import { alignEnd, type Columns } from './data-table.tsx'
import { OrderStatusBadge } from './order-status.tsx'

/** The columns of lists of orders. */
export const orderColumns = {
  nftName: { label: t('Item'), cell: formatOrderItem },
  orderNo: { label: t('Number'), cell: ({ orderNo }) => <Identifier value={orderNo} /> },
  orderStatus: { label: t('Status'), cell: (order) => <OrderStatusBadge order={order} /> },
  payAmount: alignEnd(t('Amount'), (order) => <OrderAmount order={order} baseUnits={order.payAmount} />),
  recipient: t('Buyer'),
  createTime: t('Placed'),
} satisfies Columns<Order>

/** Formats what was ordered: the name of the token, with the quantity if there are several. */
export function formatOrderItem({ nftName, quantity }: Order): string {
  const name = nftName === '' ? t('Unnamed token') : nftName
  return quantity === 1 ? name : `${formatCount(quantity)} × ${name}`
}

interface OrderAmountProps {
  readonly order: Pick<Order, 'payTokenDecimals' | 'chainId' | 'payTokenAddress'>
  readonly baseUnits: string
}

/** Shows an amount in the token of an order. */
export function OrderAmount({ order, baseUnits }: OrderAmountProps): ReactNode {
  const { payTokenDecimals: decimals, chainId, payTokenAddress } = order
  return (
    <Amount baseUnits={baseUnits} decimals={decimals} symbol={formatPayToken(chainId, payTokenAddress)} />
  )
}
