/** The kinds of tokens that a contract can have. */
export const NFT_TYPES: ReadonlySet<string> = new Set(['ERC721', 'ERC1155'])

/** A chain's id as a decimal text, of which there is one. */
export function isChainId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

/** What is wrong with an extension, if anything. */
export function extensionProblem(extension: object): string | undefined {
  return Array.isArray(extension) ? 'Expected an object, received an array' : undefined
}
