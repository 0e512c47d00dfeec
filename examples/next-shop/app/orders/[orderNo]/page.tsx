import { type Order, OrderStatus } from '@mintmark/orders'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { formatAmount, formatToken } from '../../../lib/format.ts'
import { findOwnOrder, isOpen } from '../../../lib/orders.ts'
import { Artwork } from '../../artwork.tsx'
import { OrderUpdates } from './order-updates.tsx'
import { PaymentForm } from './payment-form.tsx'

const HEADINGS: Readonly<Record<number, string>> = {
  [OrderStatus.PRE]: 'Pay your order',
  [OrderStatus.IN_PROGRESS]: 'Your payment is being confirmed',
  [OrderStatus.SUCCESS]: 'It is yours',
  [OrderStatus.FAILED]: 'The payment failed',
  [OrderStatus.CANCELLED]: 'The order was cancelled',
  [OrderStatus.EXPIRED]: 'The order has expired',
  [OrderStatus.UNRESOLVED]: 'We are checking your payment',
}

export default async function OrderPage({ params }: { readonly params: Promise<{ orderNo: string }> }) {
  const { orderNo } = await params
  const order = await findOwnOrder(orderNo)
  // The same answer for the orders of others and for numbers that do not exist.
  if (order === undefined) notFound()
  const { orderStatus } = order
  return (
    <>
      {/* Screen readers announce the next heading. */}
      <div role="status">
        <h1>{HEADINGS[orderStatus] ?? 'Your order'}</h1>
      </div>
      <div className="panel">
        <Artwork name={order.nftName} image={order.nftImg} />
        <h2>
          {order.nftName} {order.quantity > 1 && `× ${order.quantity}`}
        </h2>
        {orderStatus === OrderStatus.PRE && <Payment order={order} />}
        {orderStatus === OrderStatus.IN_PROGRESS && <Progress order={order} />}
        {orderStatus === OrderStatus.SUCCESS && <Collectible order={order} />}
      </div>
      {!isOpen(order) && <Link href="/">Back to the shop</Link>}
      {isOpen(order) && <OrderUpdates orderNo={orderNo} orderStatus={orderStatus} />}
    </>
  )
}

interface OrderProps {
  readonly order: Order
}

function Payment({ order }: OrderProps) {
  return (
    <>
      <dl>
        <dt>Amount</dt>
        <dd>
          {formatAmount(order.payAmount, order.payTokenDecimals)} {formatToken(order)}
        </dd>
        <dt>From your wallet</dt>
        <dd>{order.recipient}</dd>
        <dt>To</dt>
        <dd>{order.sender}</dd>
        <dt>Chain</dt>
        <dd>{order.chainId}</dd>
        <dt>Before</dt>
        <dd>{order.expireTime.replace(/T(\d\d:\d\d).*/, ' $1 UTC')}</dd>
      </dl>
      <a className="button" href={toPaymentLink(order)}>
        Open in your wallet
      </a>
      <PaymentForm orderNo={order.orderNo} />
    </>
  )
}

function Progress({ order }: OrderProps) {
  return (
    <>
      <p>The chain confirms it within minutes. This page updates itself; you can also come back later.</p>
      <dl>
        <dt>Transaction</dt>
        <dd>{order.hash}</dd>
      </dl>
    </>
  )
}

function Collectible({ order }: OrderProps) {
  return (
    <dl>
      <dt>Owner</dt>
      <dd>{order.recipient}</dd>
      <dt>Contract</dt>
      <dd>{order.nftAddress}</dd>
      <dt>Token</dt>
      <dd>{order.nftId}</dd>
    </dl>
  )
}

/** Returns the payment as a link for wallets (ERC-681). */
function toPaymentLink({ payTokenAddress, chainId, sender, payAmount }: Order): string {
  return payTokenAddress === ''
    ? `ethereum:${sender}@${chainId}?value=${payAmount}`
    : `ethereum:${payTokenAddress}@${chainId}/transfer?address=${sender}&uint256=${payAmount}`
}
