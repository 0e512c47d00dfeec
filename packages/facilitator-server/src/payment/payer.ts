/** Writes a payer's wallet as settlements have it: EVM addresses in lower case, Solana addresses as they are. */
export const normalizePayer = (wallet: string): string =>
  wallet.startsWith('0x') ? wallet.toLowerCase() : wallet
