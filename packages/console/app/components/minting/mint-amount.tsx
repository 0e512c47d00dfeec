import type { ReactNode } from 'react'
import { usePayTokens } from '../../api/pay-tokens.ts'
import { TokenAmount } from '../token-amount.tsx'

interface MintAmountProps {
  readonly chainId: string
  /** A record of minting, which does not name the decimals of its token. */
  readonly priced: { readonly price: string; readonly payTokenAddress: string }
}

/** Shows the price of a record of minting. */
export function MintAmount({ chainId, priced: { price, payTokenAddress } }: MintAmountProps): ReactNode {
  const { decimals } = usePayTokens().find(chainId, payTokenAddress) ?? {}
  return (
    <TokenAmount chainId={chainId} payTokenAddress={payTokenAddress} decimals={decimals} baseUnits={price} />
  )
}
