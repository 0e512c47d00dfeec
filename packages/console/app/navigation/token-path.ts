interface Token {
  readonly nftAddress: string
  readonly nftId: string
}

/** Returns the address of a token's page below that of the project. An id may be any text. */
export function toTokenPath({ nftAddress, nftId }: Token): string {
  return `nfts/${nftAddress}/${encodeURIComponent(nftId)}`
}
