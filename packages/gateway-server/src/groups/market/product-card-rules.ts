/** The states a caller may give an NFT; RESERVED and MINTED come of minting. */
export const CALLER_STATUSES: ReadonlySet<string> = new Set(['DISPLAY', 'HIDDEN'])
export const MAX_ROYALTY_PERCENTAGE = 100
