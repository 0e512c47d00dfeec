import { findTokenSymbol, formatChain, getNativeSymbol } from './chains.ts'
import { shortenIdentifier } from './identifier.ts'

/**
 * Formats what an amount is paid in: the symbol of the chain's native token or of a known token, otherwise
 * the address of the token.
 */
export function formatPayToken(chainId: string, payTokenAddress: string): string {
  if (payTokenAddress === '') return getNativeSymbol(chainId)
  return findTokenSymbol(chainId, payTokenAddress) ?? shortenIdentifier(payTokenAddress)
}

/** Names the token and its chain, where there are tokens of several chains. */
export function formatTokenWithChain(chainId: string, payTokenAddress: string): string {
  return `${formatPayToken(chainId, payTokenAddress)}, ${formatChain(chainId)}`
}

/** A token in which prices are paid. */
export interface PayToken {
  readonly chainId: string
  /** The contract's address in lower case; `''` for the native token of the chain. */
  readonly address: string
  readonly decimals: number
}

const NATIVE_DECIMALS = 18
const USDC_DECIMALS = 6

/** Returns the native token of a chain. */
export function getNativeToken(chainId: string): PayToken {
  return { chainId, address: '', decimals: NATIVE_DECIMALS }
}

/** Returns the token that the console knows by its address: the native one, or USDC. Undefined for others. */
export function findWellKnownToken(chainId: string, address: string): PayToken | undefined {
  if (address === '') return getNativeToken(chainId)
  if (findTokenSymbol(chainId, address) !== 'USDC') return undefined
  return { chainId, address: address.toLowerCase(), decimals: USDC_DECIMALS }
}
