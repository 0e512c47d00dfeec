import type { SettlementDetails } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Amount } from '../../components/amount.tsx'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatQuantity } from '../../format/number.ts'
import { facilitatorTexts, settlementTexts as texts } from '../../texts/facilitator.ts'
import { findName, NATIVE_DECIMALS, toChainId } from './facilitator-format.ts'
import { FacilitatorLink } from './facilitator-link.tsx'
import { PaymentAmount } from './payment-amount.tsx'

interface SettlementFieldsProps {
  readonly details: SettlementDetails
}

/** The fields of a settlement: its payment, its price, and where both are. */
export function SettlementFields({ details }: SettlementFieldsProps): ReactNode {
  const { settlement, block, charge } = details
  const { network, asset, payer, payTo, transaction, createTime, endTime } = settlement
  const chainId = toChainId(network)
  const address = (value: string) => (
    <Identifier value={value} link={findExplorerLink(chainId, 'address', value)} />
  )
  return (
    <DetailList
      details={[
        { label: texts.order, value: <Identifier value={settlement.orderNo} /> },
        { label: texts.account, value: <AccountLink id={settlement.accountId} /> },
        { label: texts.amount, value: <PaymentAmount settlement={settlement} /> },
        { label: texts.payer, value: address(payer) },
        { label: texts.payTo, value: address(payTo) },
        { label: texts.asset, value: address(asset) },
        { label: texts.chain, value: formatChain(chainId) },
        { label: texts.scheme, value: findName(texts.schemes, settlement.scheme) },
        { label: texts.method, value: findName(texts.methods, settlement.method) },
        { label: texts.upstream, value: findName(texts.upstreams, settlement.upstream) },
        {
          label: texts.transaction,
          value: <Identifier value={transaction} link={findExplorerLink(chainId, 'tx', transaction)} />,
        },
        { label: texts.block, value: formatBlock(block) },
        { label: texts.reason, value: formatReason(settlement) },
        { label: texts.price, value: <Price details={details} /> },
        { label: texts.hold, value: formatHold(settlement.hold, charge) },
        { label: texts.checks, value: formatQuantity(settlement.checkCount, texts.times) },
        { label: texts.requested, value: <Time value={createTime} /> },
        { label: texts.ended, value: <Time value={endTime} /> },
      ]}
    />
  )
}

function AccountLink({ id }: { readonly id: number }): ReactNode {
  return <FacilitatorLink to={`accounts/${id}`}>{facilitatorTexts.account(String(id))}</FacilitatorLink>
}

function Price({ details: { settlement } }: SettlementFieldsProps): ReactNode {
  return <Amount baseUnits={settlement.price} decimals={NATIVE_DECIMALS} symbol="" />
}

function formatBlock(block: SettlementDetails['block']): string {
  if (block === undefined) return ''
  return texts.inBlock(block.number, block.finalTime === undefined ? texts.notFinal : texts.final)
}

function formatReason({ reason, message }: SettlementDetails['settlement']): ReactNode {
  if (reason === '' && message === '') return ''
  return (
    <>
      <code>{reason}</code> {message !== '' && <span className="break">{message}</span>}
    </>
  )
}

function formatHold(hold: string, charge: SettlementDetails['charge']): string {
  if (charge === undefined || hold !== 'captured') return findName(texts.holds, hold)
  return texts.charged(findName(texts.causes, charge.cause))
}
