import type { ReactNode } from 'react'
import { usePayTokens } from '../../api/pay-tokens.ts'
import { TokenAmount } from '../token-amount.tsx'

interface MintAmountProps {
  readonly chainId: string
  /** `''` for the native token of the chain. */
  readonly payTokenAddress: string
  readonly baseUnits: string
}

/** Shows an amount of a record of minting, which does not name the decimals of its token. */
export function MintAmount(props: MintAmountProps): ReactNode {
  const { decimals } = usePayTokens().find(props.chainId, props.payTokenAddress) ?? {}
  return <TokenAmount {...props} decimals={decimals} />
}
