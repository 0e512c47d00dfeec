import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { useState } from 'react'
import { findWellKnownToken, getNativeToken, type PayToken } from '../format/pay-token.ts'
import { useOperation } from './operations.ts'

/** The tokens that a project is paid in. */
export interface PayTokens {
  /** Finds a token with its decimals. Undefined if the console does not know how many it has. */
  find(chainId: string, address: string): PayToken | undefined
  /** Lists the known tokens of a chain, the native one first. */
  list(chainId: string): readonly PayToken[]
  /** Lists the tokens that the project has been paid in, on all chains. */
  readonly used: readonly PayToken[]
}

/** What records of sales tell about their token. */
interface PaidRecord {
  readonly chainId: string
  readonly payTokenAddress: string
  readonly payTokenDecimals: number
}

/**
 * Reads in which tokens the project is paid. The gateway has no list of tokens: the decimals of an ERC-20 are
 * known from the newest orders and listings, which name them, and from the tokens that the console knows.
 */
export function usePayTokens(): PayTokens {
  return useReadPayTokens().tokens
}

/**
 * Returns the tokens for a form, or undefined until they are read. They stay the same while the form is shown:
 * if the decimals of a token became known after an amount was entered, the amount would be another one.
 */
export function useFormPayTokens(): PayTokens | undefined {
  const { tokens, isPending } = useReadPayTokens()
  const [first, setFirst] = useState<PayTokens>()
  if (first !== undefined || isPending) return first
  setFirst(tokens)
  return tokens
}

function useReadPayTokens(): { readonly tokens: PayTokens; readonly isPending: boolean } {
  const input = { pageSize: MAX_PAGE_SIZE }
  const placed = useOperation(orders.list, input)
  const listed = useOperation(commonSales.list, input)
  const records = [...(placed.data?.list ?? []), ...(listed.data?.list ?? [])]
  return { tokens: collectPayTokens(records), isPending: placed.isPending || listed.isPending }
}

/** Collects the tokens that records name. */
export function collectPayTokens(records: readonly PaidRecord[]): PayTokens {
  const tokens = new Map<string, PayToken>()
  for (const { chainId, payTokenAddress, payTokenDecimals } of records) {
    const address = payTokenAddress.toLowerCase()
    tokens.set(`${chainId} ${address}`, { chainId, address, decimals: payTokenDecimals })
  }
  return {
    find: (chainId, address) =>
      tokens.get(`${chainId} ${address.toLowerCase()}`) ?? findWellKnownToken(chainId, address),
    used: [...tokens.values()],
    list: (chainId) => [
      getNativeToken(chainId),
      ...[...tokens.values()].filter((token) => token.chainId === chainId && token.address !== ''),
    ],
  }
}
