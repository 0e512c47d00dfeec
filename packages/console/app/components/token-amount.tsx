import type { ReactNode } from 'react'
import { formatAmount } from '../format/amount.ts'
import { findTokenSymbol, getNativeSymbol } from '../format/chains.ts'
import { formatPayToken } from '../format/pay-token.ts'
import { t, tNode } from '../language/translate.ts'

interface TokenAmountProps {
  readonly chainId: string
  /** `''` for the native token of the chain. */
  readonly payTokenAddress: string
  /** Undefined if it is not known: the amount is shown in base units then. */
  readonly decimals: number | undefined
  readonly baseUnits: string
}

/**
 * Shows an amount of a token in full, so that nothing is rounded away, with its symbol, or with the address
 * of a token that has no known symbol.
 */
export function TokenAmount(props: TokenAmountProps): ReactNode {
  const { chainId, payTokenAddress, decimals, baseUnits } = props
  const amount = formatAmount({ baseUnits, decimals: decimals ?? 0 })
  const token = <TokenName chainId={chainId} address={payTokenAddress} />
  return (
    <span className="numeric amount">
      {decimals === undefined ? (
        tNode('{amount} base units of {token}', { amount, token })
      ) : (
        <>
          {amount} {token}
        </>
      )}
    </span>
  )
}

interface SaleAmountProps {
  /** A record of a sale, which names its token. */
  readonly sale: {
    readonly chainId: string
    readonly payTokenAddress: string
    readonly payTokenDecimals: number
  }
  readonly baseUnits: string
}

/** Shows an amount in the token of a sale. */
export function SaleAmount({ sale, baseUnits }: SaleAmountProps): ReactNode {
  const { chainId, payTokenAddress, payTokenDecimals } = sale
  return (
    <TokenAmount
      chainId={chainId}
      payTokenAddress={payTokenAddress}
      decimals={payTokenDecimals}
      baseUnits={baseUnits}
    />
  )
}

function TokenName({ chainId, address }: { readonly chainId: string; readonly address: string }): ReactNode {
  const symbol = address === '' ? getNativeSymbol(chainId) : findTokenSymbol(chainId, address)
  if (symbol !== undefined) return <span className="faint">{symbol}</span>
  return (
    <code className="faint" title={address}>
      {formatPayToken(chainId, address)}
    </code>
  )
}

/** Formats an amount as a text, for names of buttons, questions and charts. */
export function formatTokenAmount({
  chainId,
  payTokenAddress,
  decimals,
  baseUnits,
}: TokenAmountProps): string {
  const amount = formatAmount({ baseUnits, decimals: decimals ?? 0 })
  const token = formatPayToken(chainId, payTokenAddress)
  return decimals === undefined
    ? t('{amount} base units of {token}', { amount, token })
    : `${amount} ${token}`
}
