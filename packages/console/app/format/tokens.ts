import { getNativeSymbol } from './chains.ts'

/** A token in which prices are paid. */
export interface PayToken {
  readonly chainId: string
  /** The contract's address in lower case; `''` for the native token of the chain. */
  readonly address: string
  readonly decimals: number
}

const NATIVE_DECIMALS = 18
const USDC_DECIMALS = 6

/** Circle's contracts of USDC, by chain. */
const usdcByChain: Readonly<Record<string, string>> = {
  '1': '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '10': '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
  '137': '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  '8453': '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  '42161': '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  '84532': '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
}

/** Returns the native token of a chain. */
export function getNativeToken(chainId: string): PayToken {
  return { chainId, address: '', decimals: NATIVE_DECIMALS }
}

/** Returns the token that the console knows by its address: the native one, or USDC. Undefined for others. */
export function findWellKnownToken(chainId: string, address: string): PayToken | undefined {
  if (address === '') return getNativeToken(chainId)
  if (usdcByChain[chainId] !== address.toLowerCase()) return undefined
  return { chainId, address: address.toLowerCase(), decimals: USDC_DECIMALS }
}

/** Returns the symbol of a token; `''` if the console does not know it. */
export function getTokenSymbol(chainId: string, address: string): string {
  if (address === '') return getNativeSymbol(chainId)
  return usdcByChain[chainId] === address.toLowerCase() ? 'USDC' : ''
}
