import type { MarketType, Order } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { CopiedText, Identifier } from '../../components/copy-button.tsx'
import { type Detail, DetailList } from '../../components/detail-list.tsx'
import { formatOrderReason } from '../../components/order-status.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatPayToken } from '../../format/pay-token.ts'
import { marketTypeTexts, orderTexts } from '../../texts/orders.ts'

const { fields } = orderTexts

/** Shows the fields of an order. */
export function OrderDetails({ order }: { readonly order: Order }): ReactNode {
  return <DetailList details={[...listSaleDetails(order), ...listPaymentDetails(order)]} />
}

function listSaleDetails(order: Order): readonly Detail[] {
  const { orderNo, nftName, nftAddress, nftId, quantity, marketType, chainId, reference } = order
  const types: Readonly<Record<number, string>> = marketTypeTexts satisfies Record<MarketType, string>
  return [
    { label: fields.number, value: <CopiedText text={orderNo} /> },
    { label: fields.item, value: nftName },
    {
      label: fields.contract,
      value: <Identifier value={nftAddress} link={findExplorerLink(chainId, 'address', nftAddress)} />,
    },
    { label: fields.token, value: nftId },
    { label: fields.quantity, value: formatCount(quantity) },
    { label: fields.type, value: types[marketType] ?? String(marketType) },
    { label: fields.reference, value: reference },
  ]
}

function listPaymentDetails(order: Order): readonly Detail[] {
  const { payAmount, orderAmount, payTokenDecimals: decimals, payTokenAddress, chainId } = order
  const symbol = formatPayToken(chainId, payTokenAddress)
  const linkOf = (address: string) => findExplorerLink(chainId, 'address', address)
  const deliveries: Readonly<Record<string, string>> = orderTexts.deliveries
  return [
    { label: fields.amount, value: <Amount baseUnits={payAmount} decimals={decimals} symbol={symbol} /> },
    { label: fields.price, value: <Amount baseUnits={orderAmount} decimals={decimals} symbol={symbol} /> },
    { label: fields.coupon, value: order.couponCode },
    {
      label: fields.payToken,
      value:
        payTokenAddress === '' ? (
          fields.nativeToken
        ) : (
          <Identifier value={payTokenAddress} link={linkOf(payTokenAddress)} />
        ),
    },
    { label: fields.chain, value: formatChain(chainId) },
    { label: fields.buyer, value: <Identifier value={order.recipient} link={linkOf(order.recipient)} /> },
    { label: fields.seller, value: <Identifier value={order.sender} link={linkOf(order.sender)} /> },
    { label: fields.placed, value: <Time value={order.createTime} /> },
    { label: fields.expires, value: <Time value={order.expireTime} /> },
    {
      label: fields.transaction,
      value:
        order.hash === '' ? (
          ''
        ) : (
          <Identifier value={order.hash} link={findExplorerLink(chainId, 'tx', order.hash)} />
        ),
    },
    { label: fields.placedBlock, value: formatCount(order.blockNumber) },
    { label: fields.paidBlock, value: order.paidBlock === 0 ? '' : formatCount(order.paidBlock) },
    { label: fields.delivery, value: deliveries[order.delivery] ?? order.delivery },
    { label: fields.reason, value: formatOrderReason(order.reason) },
  ]
}
