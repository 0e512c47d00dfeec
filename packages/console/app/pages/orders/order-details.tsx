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
import { t } from '../../language/translate.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { marketTypeTexts } from '../../texts/orders.ts'

const DELIVERIES: Readonly<Record<string, string>> = {
  pending: t('Waits for the chain'),
  done: t('Done||step'),
}

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
    [t('Amount')]: format(payAmount),
    [t('Paid by the buyer')]: isPaidInPart ? format(paidAmount) : '',
    [t('Price before coupon')]: orderAmount === payAmount ? '' : format(orderAmount),
    [t('Coupon')]: order.couponCode,
    [t('Buyer')]: (
      <>
        <span className="row screen-only">
          <WalletLink address={recipient} />
          <ProjectLink to="search" search={{ q: recipient }}>
            {t('All orders')}
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
    [t('Kind of sale')]: types[marketType] ?? String(marketType),
    [t('Placed')]: <time dateTime={order.createTime}>{formatTime(order.createTime)}</time>,
    [t('Payment until')]: isOpen ? <Time value={order.expireTime} /> : '',
    [t('Delivery')]: DELIVERIES[delivery] ?? delivery,
    [t('Reason')]: formatOrderReason(reason),
    [t('Your reference')]: order.reference,
    [t('Payment')]:
      hash === '' ? '' : <Identifier value={hash} link={findExplorerLink(chainId, 'tx', hash)} />,
  }
}

/** Folds what few people need: the chain, the contract and the record as the interface returns it. */
export function OrderTechnicalDetails({ order }: { readonly order: Order }): ReactNode {
  return (
    <TechnicalDetails>
      <DetailList details={listChainDetails(order)} />
      <JsonView label={t('Record')} value={order} />
    </TechnicalDetails>
  )
}

function listChainDetails(order: Order): Details {
  const { orderNo, chainId, nftAddress, payTokenAddress, sender, blockNumber, paidBlock } = order
  const linked = (address: string) => (
    <Identifier value={address} link={findExplorerLink(chainId, 'address', address)} />
  )
  return {
    [t('Order number')]: <CopiedText text={orderNo} />,
    [t('Chain')]: formatChain(chainId),
    [t('Contract')]: linked(nftAddress),
    [t('Token id')]: order.nftId,
    [t('Pay token')]: payTokenAddress === '' ? t('Native token of the chain') : linked(payTokenAddress),
    [t('Seller')]: linked(sender),
    [t('Newest block when placed')]: formatCount(blockNumber),
    [t('Block of the payment')]: paidBlock === 0 ? '' : formatCount(paidBlock),
  }
}
