import { type MarketType, type Order, OrderStatus } from '@mintmark/orders'
import type { ReactNode } from 'react'
import { CopiedText, Identifier } from '../../components/copy-button.tsx'
import { DetailList, type Details } from '../../components/detail-list.tsx'
import { JsonView } from '../../components/json-view.tsx'
import { WalletLink } from '../../components/links.tsx'
import { OrderAmount } from '../../components/order-columns.tsx'
import { formatOrderReason } from '../../components/order-status.tsx'
import { Picture } from '../../components/picture.tsx'
import { TechnicalDetails } from '../../components/technical-details.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { formatTime } from '../../format/time.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { marketTypeTexts } from '../../texts/orders.ts'

const DELIVERIES: Readonly<Record<string, string>> = { pending: 'Waits for the chain', done: 'Done' }

/** Shows what was bought, by whom and for how much. */
export function OrderSummary({ order }: { readonly order: Order }): ReactNode {
  const details = Object.entries({ ...listPaymentDetails(order), ...listSaleDetails(order) })
  const shown = details.filter(([, value]) => value !== '' && value !== undefined)
  return (
    <div className="panel stack order-summary printed">
      {order.nftImg !== '' && <Picture address={order.nftImg} label="" size="large" />}
      <DetailList details={Object.fromEntries(shown)} />
    </div>
  )
}

function listPaymentDetails(order: Order): Details {
  const { payAmount, paidAmount, orderAmount, recipient } = order
  const isPaidInPart = paidAmount !== '0' && paidAmount !== payAmount
  const format = (baseUnits: string) => <OrderAmount order={order} baseUnits={baseUnits} />
  return {
    Amount: format(payAmount),
    'Paid by the buyer': isPaidInPart ? format(paidAmount) : '',
    'Price before coupon': orderAmount === payAmount ? '' : format(orderAmount),
    Coupon: order.couponCode,
    Buyer: (
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
  }
}

function listSaleDetails(order: Order): Details {
  const { marketType, delivery, orderStatus, reason, hash, chainId } = order
  const types: Readonly<Record<number, string>> = marketTypeTexts satisfies Record<MarketType, string>
  const isOpen = orderStatus === OrderStatus.PRE
  return {
    'Kind of sale': types[marketType] ?? String(marketType),
    Placed: <time dateTime={order.createTime}>{formatTime(order.createTime)}</time>,
    'Payment until': isOpen ? <Time value={order.expireTime} /> : '',
    Delivery: DELIVERIES[delivery] ?? delivery,
    Reason: formatOrderReason(reason),
    'Your reference': order.reference,
    Payment: hash === '' ? '' : <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
  }
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

function listChainDetails(order: Order): Details {
  const { orderNo, chainId, nftAddress, payTokenAddress, sender, blockNumber, paidBlock } = order
  const linked = (address: string) => (
    <Identifier value={address} link={findExplorerLink(chainId, 'address', address)} />
  )
  return {
    'Order number': <CopiedText text={orderNo} />,
    Chain: formatChain(chainId),
    Contract: linked(nftAddress),
    'Token id': order.nftId,
    'Pay token': payTokenAddress === '' ? 'Native token of the chain' : linked(payTokenAddress),
    Seller: linked(sender),
    'Newest block when placed': formatCount(blockNumber),
    'Block of the payment': paidBlock === 0 ? '' : formatCount(paidBlock),
  }
}
