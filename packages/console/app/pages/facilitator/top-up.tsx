import { type AccountTotals, payerQuotas } from '@mintmark/facilitator'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { CopiedText } from '../../components/copy-button.tsx'
import { DetailList, Section } from '../../components/detail-list.tsx'
import { QrCode } from '../../components/qr-code.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TokenAmount } from '../../components/token-amount.tsx'
import { formatChain } from '../../format/chains.ts'
import { formatCount } from '../../format/number.ts'
import { NATIVE_DECIMALS } from './facilitator-format.ts'

/** For how many settles people top up. */
const SETTLES = [1_000, 10_000]

/** How to top up the balance: the treasury's address, and what some numbers of settles cost. */
export function TopUp({ totals }: { readonly totals: AccountTotals }): ReactNode {
  const query = useOperation(payerQuotas.signingDomain, {})
  return (
    <Section title="Top up">
      <QueryView query={query}>
        {({ domain }) => (
          <div className="panel panel-grid">
            <TopUpDetails
              totals={totals}
              treasury={domain.verifyingContract}
              chainId={String(domain.chainId)}
            />
            <QrCode
              content={`ethereum:${domain.verifyingContract}@${domain.chainId}`}
              label="the address to send to"
            />
          </div>
        )}
      </QueryView>
    </Section>
  )
}

interface TopUpDetailsProps {
  readonly totals: AccountTotals
  readonly treasury: string
  readonly chainId: string
}

function TopUpDetails({ totals, treasury, chainId }: TopUpDetailsProps): ReactNode {
  const price = BigInt(totals.settlePrice)
  const showAmount = (wei: bigint) => (
    <TokenAmount chainId={chainId} payTokenAddress="" decimals={NATIVE_DECIMALS} baseUnits={String(wei)} />
  )
  return (
    <div className="stack-small">
      <p>
        Send the native token from the wallet of your account. A transfer from another wallet is not credited
        to you. The balance changes once the block is final.
      </p>
      <DetailList
        details={{
          Balance: showAmount(BigInt(totals.balance)),
          Network: formatChain(chainId),
          'Send to': <CopiedText text={treasury} label="Copy the address" />,
          'From your wallet': <CopiedText text={totals.payer} label="Copy your wallet" />,
          ...Object.fromEntries(
            SETTLES.map((count) => [`For ${formatCount(count)} settles`, showAmount(price * BigInt(count))]),
          ),
        }}
      />
    </div>
  )
}
