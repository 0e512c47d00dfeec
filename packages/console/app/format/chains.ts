/** A chain that people know by name. */
interface KnownChain {
  readonly name: string
  /** The symbol of its native token. */
  readonly symbol: string
  /** The address of its block explorer, without a slash at the end. */
  readonly explorer?: string
}

const knownChains: Readonly<Record<string, KnownChain>> = {
  '1': { name: 'Ethereum', symbol: 'ETH', explorer: 'https://etherscan.io' },
  '10': { name: 'OP Mainnet', symbol: 'ETH', explorer: 'https://optimistic.etherscan.io' },
  '56': { name: 'BNB Smart Chain', symbol: 'BNB', explorer: 'https://bscscan.com' },
  '137': { name: 'Polygon', symbol: 'POL', explorer: 'https://polygonscan.com' },
  '8453': { name: 'Base', symbol: 'ETH', explorer: 'https://basescan.org' },
  '42161': { name: 'Arbitrum One', symbol: 'ETH', explorer: 'https://arbiscan.io' },
  '43114': { name: 'Avalanche', symbol: 'AVAX', explorer: 'https://snowtrace.io' },
  '84532': { name: 'Base Sepolia', symbol: 'ETH', explorer: 'https://sepolia.basescan.org' },
  '11155111': { name: 'Sepolia', symbol: 'ETH', explorer: 'https://sepolia.etherscan.io' },
  '31337': { name: 'Development chain', symbol: 'ETH' },
}

/** Formats a chain by its name, or by its id: `Base`, `Chain 4711`. */
export function formatChain(chainId: string): string {
  return knownChains[chainId]?.name ?? `Chain ${chainId}`
}

/** Returns the symbol of a chain's native token, or `native` for a chain that the console does not know. */
export function getNativeSymbol(chainId: string): string {
  return knownChains[chainId]?.symbol ?? 'native'
}

/** Finds the page of a transaction or an address in the block explorer of a chain. */
export function findExplorerLink(chainId: string, kind: 'tx' | 'address', value: string): string | undefined {
  const explorer = knownChains[chainId]?.explorer
  return explorer === undefined ? undefined : `${explorer}/${kind}/${value}`
}
