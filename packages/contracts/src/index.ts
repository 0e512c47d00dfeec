export { CHAIN_UNREADABLE } from '@mintmark/envelope'
export {
  type Eligibility,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
  MINT_UNDECIDED,
  MINTED_OUT,
  type Mint,
  type MintCounts,
  type MintSignature,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  type Presale,
  type PresalePhase,
  type Previews,
  type WhitelistEntry,
} from '@mintmark/minting'
export type { Asset, Transfer } from './assets.ts'
export * as assets from './assets.ts'
export type { Contract, ContractExtension } from './contracts.ts'
export * as contracts from './contracts.ts'
export type { LazyCollection, LazyExtension, LazyProduct } from './lazy-minting.ts'
export * as lazyMinting from './lazy-minting.ts'
export type { LazyNft } from './lazy-minting-nfts.ts'
export type { Nft, NftProperty } from './nfts.ts'
export * as nfts from './nfts.ts'
