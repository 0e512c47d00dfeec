import { type MarketType, type Order, OrderStatus } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { CopiedText, Identifier } from '../../components/copy-button.tsx'
import { type Detail, DetailList } from '../../components/detail-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { OrderAmount } from '../../components/order-columns.tsx'
import { formatOrderReason } from '../../components/order-status.tsx'
import { Picture } from '../../components/picture.tsx'
import { TechnicalDetails } from '../../components/technical-details.tsx'
import { Time } from '../../components/time.tsx'
import { WalletLink } from '../../components/wallet-link.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatTime } from '../../format/time.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { marketTypeTexts } from '../../texts/orders.ts'

const DELIVERIES: Readonly<Record<string, string>> = { pending: 'Waits for the chain', done: 'Done' }

/** Shows what was bought, by whom and for how much. */
export function OrderSummary({ order }: { readonly order: Order }): ReactNode {
  const details = [...listPaymentDetails(order), ...listSaleDetails(order)]
  return (
    <div className="panel stack order-summary printed">
      {order.nftImg !== '' && <Picture address={order.nftImg} label="" size="large" />}
      <DetailList details={details.filter(({ value }) => value !== '' && value !== undefined)} />
    </div>
  )
}

function listPaymentDetails(order: Order): readonly Detail[] {
  const { payAmount, paidAmount, orderAmount, recipient } = order
  const isPaidInPart = paidAmount !== '0' && paidAmount !== payAmount
  const format = (baseUnits: string) => <OrderAmount order={order} baseUnits={baseUnits} />
  return [
    { label: 'Amount', value: format(payAmount) },
    { label: 'Paid by the buyer', value: isPaidInPart ? format(paidAmount) : '' },
    { label: 'Price before coupon', value: orderAmount === payAmount ? '' : format(orderAmount) },
    { label: 'Coupon', value: order.couponCode },
    {
      label: 'Buyer',
      value: (
        <>
          <span className="row screen-only">
            <WalletLink address={recipient} />
            <ProjectLink to="search" search={{ q: recipient }}>
              All orders
            </ProjectLink>
          </span>
          <code className="print-only">{recipient}</code>
        </>
      ),
    },
  ]
}

function listSaleDetails(order: Order): readonly Detail[] {
  const { marketType, delivery, orderStatus, reason, hash, chainId } = order
  const types: Readonly<Record<number, string>> = marketTypeTexts satisfies Record<MarketType, string>
  const isOpen = orderStatus === OrderStatus.PRE
  return [
    { label: 'Kind of sale', value: types[marketType] ?? String(marketType) },
    { label: 'Placed', value: <time dateTime={order.createTime}>{formatTime(order.createTime)}</time> },
    { label: 'Payment until', value: isOpen ? <Time value={order.expireTime} /> : '' },
    { label: 'Delivery', value: DELIVERIES[delivery] ?? delivery },
    { label: 'Reason', value: formatOrderReason(reason) },
    { label: 'Your reference', value: order.reference },
    {
      label: 'Payment',
      value: hash === '' ? '' : <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
    },
  ]
}

/** Folds what few people need: the chain, the contract and the record as the interface returns it. */
export function OrderTechnicalDetails({ order }: { readonly order: Order }): ReactNode {
  return (
    <TechnicalDetails>
      <DetailList details={listChainDetails(order)} />
      <JsonView label="Record" value={order} />
    </TechnicalDetails>
  )
}

function listChainDetails(order: Order): readonly Detail[] {
  const { orderNo, chainId, nftAddress, payTokenAddress, sender, blockNumber, paidBlock } = order
  const linked = (address: string) => (
    <Identifier value={address} link={findExplorerLink(chainId, 'address', address)} />
  )
  return [
    { label: 'Order number', value: <CopiedText text={orderNo} /> },
    { label: 'Chain', value: formatChain(chainId) },
    { label: 'Contract', value: linked(nftAddress) },
    { label: 'Token id', value: order.nftId },
    {
      label: 'Pay token',
      value: payTokenAddress === '' ? 'Native token of the chain' : linked(payTokenAddress),
    },
    { label: 'Seller', value: linked(sender) },
    { label: 'Newest block when placed', value: formatCount(blockNumber) },
    { label: 'Block of the payment', value: paidBlock === 0 ? '' : formatCount(paidBlock) },
  ]
}
