import { defineEvents, type EventDataOf } from '@mintmark/operation'
import { Transfer } from './assets.ts'
import { Contract } from './contracts.ts'
import { Nft } from './nfts.ts'

/** The events about contracts and NFTs. Subjects: `contract/`, `nft/` or `transfer/` and the id. */
export const contractEvents = defineEvents({
  'contract.created': { description: 'A contract was added.', data: Contract },
  'contract.updated': { description: 'A field of a contract changed.', data: Contract },
  'contract.removed': { description: 'A contract was removed.', data: Contract },
  'nft.created': { description: 'An NFT was added.', data: Nft },
  'nft.updated': { description: 'A field of an NFT changed.', data: Nft },
  'nft.removed': { description: 'An NFT was removed.', data: Nft },
  'transfer.recorded': {
    description: 'A token of a contract that is not indexed has a new owner.',
    data: Transfer,
  },
})
export type ContractEvents = EventDataOf<typeof contractEvents>
