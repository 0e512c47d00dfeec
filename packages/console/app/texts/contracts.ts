/** Texts of the pages of contracts and of NFTs. */
export const contractsTexts = {
  types: { ERC721: 'ERC-721: each token exists once', ERC1155: 'ERC-1155: tokens have editions' },
  nfts: 'NFTs',
  indexing: { state: 'State' },
} as const

export const nftsTexts = {
  add: 'Add NFT',
  fields: {
    nftAddress: { label: 'Contract' },
  },
  owners: 'Owners',
  alt: (name: string) => `Image of ${name}`,
} as const
