import type { SalesRow } from '@mintmark/admin'
import { formatAmount, toApproximateNumber } from '../../format/amount.ts'
import { formatPayToken, formatTokenWithChain } from '../../format/pay-token.ts'

/** The sales in one token. */
export interface TokenSales {
  /** Its name, with its chain if another token of the report has the same name. */
  readonly token: string
  readonly rows: readonly SalesRow[]
  readonly total: SalesRow
}

/** What identifies a token. */
const getToken = ({ chainId, payTokenAddress }: SalesRow) => `${chainId} ${payTokenAddress}`

/** Selects the rows in the token of a row. */
export const selectToken = (rows: readonly SalesRow[], row: SalesRow): readonly SalesRow[] =>
  rows.filter((other) => getToken(other) === getToken(row))

/** Lists the sales of each token with their sum, the tokens with the most orders first. */
export function listTokenSales(rows: readonly SalesRow[]): readonly TokenSales[] {
  const firsts = rows.filter(
    (row, index) => rows.findIndex((other) => getToken(other) === getToken(row)) === index,
  )
  const nameOf = ({ chainId, payTokenAddress }: SalesRow) => formatPayToken(chainId, payTokenAddress)
  return firsts
    .map((first) => {
      const isUnique = firsts.filter((other) => nameOf(other) === nameOf(first)).length === 1
      const token = isUnique ? nameOf(first) : formatTokenWithChain(first.chainId, first.payTokenAddress)
      const ofToken = selectToken(rows, first)
      return { token, rows: ofToken, total: addUp(ofToken, first) }
    })
    .sort((one, other) => other.total.orders - one.total.orders)
}

/** Adds up rows in the token of a row. */
export function addUp(rows: readonly SalesRow[], token: SalesRow): SalesRow {
  const sumOf = (field: 'paid' | 'refunded' | 'kept') =>
    String(rows.reduce((sum, row) => sum + BigInt(row[field]), 0n))
  return {
    ...token,
    group: '',
    name: '',
    orders: rows.reduce((sum, { orders }) => sum + orders, 0),
    quantity: rows.reduce((sum, { quantity }) => sum + quantity, 0),
    paid: sumOf('paid'),
    refunded: sumOf('refunded'),
    kept: sumOf('kept'),
  }
}

/** Formats an amount of a row, which may be less than nothing. */
export function formatSum({ payTokenDecimals: decimals }: SalesRow, baseUnits: string): string {
  const amount = formatAmount({ baseUnits: baseUnits.replace('-', ''), decimals })
  return baseUnits.startsWith('-') ? `-${amount}` : amount
}

/** Converts an amount of a row that is not less than nothing to a number, where a rounded value is enough. */
export const toNumber = ({ payTokenDecimals: decimals }: SalesRow, baseUnits: string): number =>
  baseUnits.startsWith('-') ? 0 : toApproximateNumber({ baseUnits, decimals })
