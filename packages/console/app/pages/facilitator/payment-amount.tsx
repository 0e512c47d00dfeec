import type { OperatorSettlement } from '@mintmark/facilitator/operator'
import type { ReactNode } from 'react'
import { TokenAmount } from '../../components/token-amount.tsx'
import { findTokenSymbol } from '../../format/chains.ts'
import { toChainId } from './facilitator-format.ts'

/** The tokens that the console knows have so many decimals. */
const USDC_DECIMALS = 6

/** Shows the amount of a payment, in whole tokens if the console knows the token. */
export function PaymentAmount({
  settlement: { network, asset, amount },
}: {
  readonly settlement: Pick<OperatorSettlement, 'network' | 'asset' | 'amount'>
}): ReactNode {
  const chainId = toChainId(network)
  const isKnown = findTokenSymbol(chainId, asset) !== undefined
  return (
    <TokenAmount
      chainId={chainId}
      payTokenAddress={asset}
      decimals={isKnown ? USDC_DECIMALS : undefined}
      baseUnits={amount}
    />
  )
}
