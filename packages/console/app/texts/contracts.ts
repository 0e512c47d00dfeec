import { t } from '../language/translate.ts'

/** Texts of the pages of contracts and of NFTs. */
export const contractsTexts = {
  types: { ERC721: t('ERC-721: each token exists once'), ERC1155: t('ERC-1155: tokens have editions') },
  nfts: 'NFTs',
  indexing: { state: t('State') },
} as const

export const nftsTexts = {
  add: t('Add NFT'),
  fields: {
    nftAddress: { label: t('Contract') },
  },
  owners: t('Owners'),
  alt: (name: string) => t('Image of {name}', { name }),
} as const
