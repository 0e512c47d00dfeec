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
