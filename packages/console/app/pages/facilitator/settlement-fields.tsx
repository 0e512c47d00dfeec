import type { SettlementDetails } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { Identifier } from '../../components/copy-button.tsx'
import { DetailList } from '../../components/detail-list.tsx'
import { Time } from '../../components/time.tsx'
import { findExplorerLink, formatChain } from '../../format/chains.ts'
import { formatQuantity } from '../../format/number.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { facilitatorTexts, settlementTexts as texts } from '../../texts/facilitator.ts'
import { findName, toChainId } from './facilitator-format.ts'
import { NativeAmount } from './native-amount.tsx'
import { PaymentAmount } from './payment-amount.tsx'

/** The fields of a settlement: its payment, its price, and where both are. */
export function SettlementFields({ details }: { readonly details: SettlementDetails }): ReactNode {
  const { settlement, block, charge } = details
  const { network, asset, payer, payTo, transaction, createTime, endTime } = settlement
  const chainId = toChainId(network)
  const address = (value: string) => (
    <Identifier value={value} link={findExplorerLink(chainId, 'address', value)} />
  )
  return (
    <DetailList
      details={[
        { label: 'Order', value: <Identifier value={settlement.orderNo} /> },
        { label: 'Account', value: <AccountLink id={settlement.accountId} /> },
        { label: 'Amount', value: <PaymentAmount settlement={settlement} /> },
        { label: 'Payer', value: address(payer) },
        { label: 'Paid to', value: address(payTo) },
        { label: 'Token', value: address(asset) },
        { label: 'Chain', value: formatChain(chainId) },
        { label: 'Scheme', value: findName(texts.schemes, settlement.scheme) },
        { label: 'Method', value: findName(texts.methods, settlement.method) },
        { label: 'Executed by', value: findName(texts.upstreams, settlement.upstream) },
        {
          label: 'Transaction',
          value: <Identifier value={transaction} link={findExplorerLink(chainId, 'tx', transaction)} />,
        },
        { label: 'Block', value: formatBlock(block) },
        { label: 'Reason', value: formatReason(settlement) },
        { label: 'Price', value: <NativeAmount wei={settlement.price} /> },
        { label: 'The price is', value: formatHold(settlement.hold, charge) },
        { label: 'Looked for its outcome', value: formatQuantity(settlement.checkCount, texts.times) },
        { label: 'Requested', value: <Time value={createTime} /> },
        { label: 'Ended', value: <Time value={endTime} /> },
      ]}
    />
  )
}

function AccountLink({ id }: { readonly id: number }): ReactNode {
  return <ProjectLink to={`facilitator/accounts/${id}`}>{facilitatorTexts.account(String(id))}</ProjectLink>
}

function formatBlock(block: SettlementDetails['block']): string {
  if (block === undefined) return ''
  return `${block.number}, ${block.finalTime === undefined ? texts.notFinal : texts.final}`
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
  return `charged because of ${findName(texts.causes, charge.cause)}`
}
