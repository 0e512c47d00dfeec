import { Mint } from '@mintmark/minting'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import { Transfer } from './assets.ts'
import { Contract } from './contracts.ts'
import { LazyNft } from './lazy-minting-nfts.ts'
import { Nft } from './nfts.ts'

/** The events about contracts, NFTs and mints. Subjects: `contract/`, `nft/`, `lazy_nft/`, `mint/` or `transfer/` and the id. */
export const contractEvents = defineEvents({
  'contract.created': { description: 'A contract was added.', data: Contract },
  'contract.updated': { description: 'A field of a contract changed.', data: Contract },
  'contract.removed': { description: 'A contract was removed.', data: Contract },
  'lazy_nft.created': { description: 'An NFT was added to a lazy-minting collection.', data: LazyNft },
  'lazy_nft.updated': {
    description: 'A field of an NFT of a lazy-minting collection changed, such as its status.',
    data: LazyNft,
  },
  'lazy_nft.removed': { description: 'An NFT of a lazy-minting collection was removed.', data: LazyNft },
  'mint.signed': { description: 'A mint was signed. The recipient can send it to the contract.', data: Mint },
  'mint.minted': { description: 'A mint is final on the chain.', data: Mint },
  'mint.released': {
    description: 'The signature of a mint has expired unused. Its stock is available again.',
    data: Mint,
  },
  'nft.created': { description: 'An NFT was added.', data: Nft },
  'nft.updated': { description: 'A field of an NFT changed.', data: Nft },
  'nft.removed': { description: 'An NFT was removed.', data: Nft },
  'transfer.recorded': {
    description: 'A token of a contract that is not indexed has a new owner.',
    data: Transfer,
  },
})
export type ContractEvents = EventDataOf<typeof contractEvents>
