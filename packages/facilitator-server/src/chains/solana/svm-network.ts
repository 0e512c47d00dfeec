export const isSvmNetwork = (network: string): boolean => network.startsWith('solana:')
