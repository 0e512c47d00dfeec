/** The kinds of tokens that a contract can have. */
export const NFT_TYPES: ReadonlySet<string> = new Set(['ERC721', 'ERC1155'])

/** The longest text of a contract's metadata in characters, and of its extension in bytes of JSON. */
export const MAX_EXTENSION_LENGTH = 65_536

/** A chain's id as a decimal text, of which there is one. */
export function isChainId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

/** What is wrong with an extension, if anything. */
export function extensionProblem(extension: object): string | undefined {
  if (Array.isArray(extension)) return 'Expected an object, received an array'
  if (Buffer.byteLength(JSON.stringify(extension)) > MAX_EXTENSION_LENGTH)
    return `Expected at most ${MAX_EXTENSION_LENGTH} bytes of JSON`
  return undefined
}
