/** Texts of the pages of contracts and of NFTs. */
export const contractsTexts = {
  title: 'Contracts',
  add: 'Add contract',
  columns: { chain: 'Chain', address: 'Address', created: 'Added' },
  types: { ERC721: 'ERC-721: each token exists once', ERC1155: 'ERC-1155: tokens have editions' },
  fields: {
    name: { label: 'Name', description: 'What buyers see, at most 200 characters.' },
  },
  remove: 'Remove',
  nfts: 'NFTs',
  indexing: {
    state: 'State',
  },
  transfers: 'Transfers',
} as const

export const nftsTexts = {
  title: 'NFTs',
  add: 'Add NFT',
  fields: {
    nftAddress: { label: 'Contract' },
  },
  owners: 'Owners',
  offers: 'Offers',
  remove: 'Remove',
  alt: (name: string) => `Image of ${name}`,
} as const
