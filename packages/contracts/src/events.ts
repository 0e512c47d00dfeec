import { record, type Schema } from '@mintmark/envelope'
import { Mint, PresalePhase, Previews, WhitelistEntry } from '@mintmark/minting'
import { defineEvents, type EventDataOf } from '@mintmark/operation'
import * as v from 'valibot'
import { Transfer } from './assets.ts'
import { Contract } from './contracts.ts'
import { LazyCollection, LazyExtension } from './lazy-minting.ts'
import { LazyNft } from './lazy-minting-nfts.ts'
import { Nft } from './nfts.ts'

// A newer server may return further programs, so the type of the record is open.
const program: Schema<'lazyMinting' | 'productCards' | (string & {})> = v.string()

const collectionPhase = record({
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The phase. */
  phase: PresalePhase,
  /** The operations that the presale belongs to: `lazyMinting` or `productCards`. */
  program,
})
/** A phase of a presale, with the contract whose tokens are minted. */
export interface CollectionPhase extends v.InferOutput<typeof collectionPhase> {}
export const CollectionPhase: Schema<CollectionPhase> = collectionPhase

const collectionWhitelistEntry = record({
  /** The entry. */
  entry: WhitelistEntry,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The operations that the whitelist belongs to: `lazyMinting` or `productCards`. */
  program,
})
/** A wallet on the whitelist of a phase, with the contract whose tokens are minted. */
export interface CollectionWhitelistEntry extends v.InferOutput<typeof collectionWhitelistEntry> {}
export const CollectionWhitelistEntry: Schema<CollectionWhitelistEntry> = collectionWhitelistEntry

const lazyCollectionDetails = record({
  /** The collection. */
  collection: LazyCollection,
  /** The data that the project stores with the collection. */
  extension: LazyExtension,
  /** The preview images and other media. */
  previews: Previews,
})
/** A lazy-minting collection with all that a project writes about it. */
export interface LazyCollectionDetails extends v.InferOutput<typeof lazyCollectionDetails> {}
export const LazyCollectionDetails: Schema<LazyCollectionDetails> = lazyCollectionDetails

/**
 * The events about contracts, NFTs, presales and mints. Subjects: `contract/`, `nft/`, `lazy_collection/`,
 * `lazy_nft/`, `phase/`, `whitelist_entry/`, `mint/` or `transfer/` and the id.
 */
export const contractEvents = defineEvents({
  'contract.created': { description: 'A contract was added.', data: Contract },
  'contract.updated': { description: 'A field of a contract changed.', data: Contract },
  'contract.removed': { description: 'A contract was removed.', data: Contract },
  'lazy_collection.updated': {
    description: 'A field, the previews or the extension of a lazy-minting collection changed.',
    data: LazyCollectionDetails,
  },
  'lazy_nft.created': { description: 'An NFT was added to a lazy-minting collection.', data: LazyNft },
  'lazy_nft.updated': {
    description:
      'A field of an NFT of a lazy-minting collection changed, such as its status, also when a reservation expires.',
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
  'phase.created': { description: 'A phase was added to a presale.', data: CollectionPhase },
  'phase.updated': {
    description: 'A field of a phase changed, such as the number of reserved and minted tokens.',
    data: CollectionPhase,
  },
  'phase.removed': { description: 'A phase was removed from a presale.', data: CollectionPhase },
  'phase.started': { description: 'A phase has begun by time.', data: CollectionPhase },
  'phase.ended': { description: 'A phase has ended by time.', data: CollectionPhase },
  'transfer.recorded': {
    description: 'A token has a new owner. A transfer of an indexed contract was read from the chain.',
    data: Transfer,
  },
  'transfer.reverted': {
    description: 'A reorganization of the chain removed a transfer of an indexed contract.',
    data: Transfer,
  },
  'whitelist_entry.created': {
    description: 'A wallet was added to the whitelist of a phase.',
    data: CollectionWhitelistEntry,
  },
  'whitelist_entry.updated': {
    description: 'The limit of a wallet on a whitelist changed.',
    data: CollectionWhitelistEntry,
  },
  'whitelist_entry.removed': {
    description: 'A wallet was removed from the whitelist of a phase.',
    data: CollectionWhitelistEntry,
  },
})
export type ContractEvents = EventDataOf<typeof contractEvents>
