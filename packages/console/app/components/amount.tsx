import type { ReactNode } from 'react'
import { formatAmount, formatShortAmount, type TokenAmount } from '../format/amount.ts'

interface AmountProps extends TokenAmount {
  /** The symbol of the token; `''` for none. */
  readonly symbol: string
}

/** Shows an amount of a token. The exact amount is shown when it is pointed at. */
export function Amount({ baseUnits, decimals, symbol }: AmountProps): ReactNode {
  const exact = formatAmount({ baseUnits, decimals })
  return (
    <span className="numeric amount" title={`${exact} ${symbol}`.trim()}>
      {formatShortAmount({ baseUnits, decimals })}
      {symbol !== '' && <span className="faint"> {symbol}</span>}
    </span>
  )
}
