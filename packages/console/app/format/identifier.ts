/**
 * Shortens an address, a hash or another long id to its beginning and its end, which people compare.
 *
 * @example shortenIdentifier('0x70997970c51812dc3a010c7d01b50e0d17dc79c8') // '0x7099…79c8'
 */
export function shortenIdentifier(text: string): string {
  const head = text.startsWith('0x') ? 6 : 8
  return text.length <= head + 6 ? text : `${text.slice(0, head)}…${text.slice(-4)}`
}

/** Whether a text is the address of a wallet or a contract. */
export function isWalletAddress(text: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(text.trim())
}
