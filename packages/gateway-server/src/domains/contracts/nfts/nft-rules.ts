export const MAX_ROYALTY_PERCENTAGE = 100

/** What is wrong with how many of a token there are, if anything. */
export function quantityProblem(nftType: string, quantity: number): string | undefined {
  return nftType === 'ERC721' && quantity !== 1 ? 'Expected 1: there is one of each ERC721 token' : undefined
}

/** Whether a text names a token as chains do: a uint256 in decimal digits, of which there is one. */
export function isTokenId(text: string): boolean {
  return /^(?:0|[1-9]\d{0,77})$/.test(text) && BigInt(text) < 2n ** 256n
}

export interface Property {
  readonly trait_type: string
  readonly value: string
}

/** Properties, each once. */
export function distinct(properties: readonly Property[]): readonly Property[] {
  const seen = new Map(properties.map((each) => [JSON.stringify([each.trait_type, each.value]), each]))
  return [...seen.values()]
}
