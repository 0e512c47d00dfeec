/** Describes what is wrong with a token's supply, if anything. */
export function findQuantityProblem(nftType: string, quantity: number): string | undefined {
  return nftType === 'ERC721' && quantity !== 1 ? 'Expected 1: the supply of an ERC721 token is 1' : undefined
}

/** Whether a text is the canonical form of a token id on a chain: a uint256 in decimal digits. */
export function isTokenId(text: string): boolean {
  return /^(?:0|[1-9]\d{0,77})$/.test(text) && BigInt(text) < 2n ** 256n
}

export interface Property {
  readonly trait_type: string
  readonly value: string
}

/** Removes repeated properties. */
export function removeDuplicates(properties: readonly Property[]): readonly Property[] {
  const byText = new Map(
    properties.map((property) => [JSON.stringify([property.trait_type, property.value]), property]),
  )
  return [...byText.values()]
}
