import { t } from '../language/translate.ts'

/** A chain that people know by name. */
interface KnownChain {
  readonly name: string
  /** The symbol of its native token. */
  readonly symbol: string
  /** The address of its block explorer, without a slash at the end. */
  readonly explorer?: string
  /**
   * The address of USDC, in lower case. Other tokens are shown by their addresses: anybody can deploy one
   * with any symbol.
   */
  readonly usdc?: string
}

const knownChains: Readonly<Record<string, KnownChain>> = {
  '1': {
    name: 'Ethereum',
    symbol: 'ETH',
    explorer: 'https://etherscan.io',
    usdc: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  },
  '10': {
    name: 'OP Mainnet',
    symbol: 'ETH',
    explorer: 'https://optimistic.etherscan.io',
    usdc: '0x0b2c639c533813f4aa9d7837caf62653d097ff85',
  },
  '56': { name: 'BNB Smart Chain', symbol: 'BNB', explorer: 'https://bscscan.com' },
  '137': {
    name: 'Polygon',
    symbol: 'POL',
    explorer: 'https://polygonscan.com',
    usdc: '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359',
  },
  '8453': {
    name: 'Base',
    symbol: 'ETH',
    explorer: 'https://basescan.org',
    usdc: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  },
  '42161': {
    name: 'Arbitrum One',
    symbol: 'ETH',
    explorer: 'https://arbiscan.io',
    usdc: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  },
  '43114': { name: 'Avalanche', symbol: 'AVAX', explorer: 'https://snowtrace.io' },
  '84532': {
    name: 'Base Sepolia',
    symbol: 'ETH',
    explorer: 'https://sepolia.basescan.org',
    usdc: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  },
  '11155111': {
    name: 'Sepolia',
    symbol: 'ETH',
    explorer: 'https://sepolia.etherscan.io',
    usdc: '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238',
  },
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': { name: 'Solana', symbol: 'SOL' },
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': { name: 'Solana Testnet', symbol: 'SOL' },
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': { name: 'Solana Devnet', symbol: 'SOL' },
  '31337': { name: t('Development chain'), symbol: 'ETH' },
}

/** Formats a chain by its name, or by its id: `Base`, `Chain 4711`. */
export function formatChain(chainId: string): string {
  return knownChains[chainId]?.name ?? t('Chain {chainId}', { chainId })
}

/** Returns the symbol of a chain's native token, or `native` for a chain that the console does not know. */
export function getNativeSymbol(chainId: string): string {
  return knownChains[chainId]?.symbol ?? 'native'
}

/** Returns the symbol of a token, or undefined for a token that the console does not know. */
export function findTokenSymbol(chainId: string, address: string): string | undefined {
  return knownChains[chainId]?.usdc === address.toLowerCase() ? 'USDC' : undefined
}

/** Finds the page of a transaction or an address in the block explorer of a chain. */
export function findExplorerLink(chainId: string, kind: 'tx' | 'address', value: string): string | undefined {
  const explorer = knownChains[chainId]?.explorer
  return explorer === undefined ? undefined : `${explorer}/${kind}/${value}`
}
