/** What a wallet can sell: units of a token. */
export interface SoldToken {
  readonly nftAddress: string
  readonly nftId: string
  readonly seller: string
}

/**
 * Formats a token for an option and for the address of a page. A token's id can contain a slash, an address
 * cannot.
 */
export function formatAssetValue({ nftAddress, nftId, seller }: SoldToken): string {
  return `${nftAddress.toLowerCase()}/${seller.toLowerCase()}/${nftId}`
}

/** Reads the value of an option. Undefined for anything else. */
export function parseAssetValue(value: string): SoldToken | undefined {
  const match = /^(0x[0-9a-f]{40})\/(0x[0-9a-f]{40})\/(.+)$/s.exec(value)
  if (match === null) return undefined
  const [, nftAddress = '', seller = '', nftId = ''] = match
  return { nftAddress, seller, nftId }
}
