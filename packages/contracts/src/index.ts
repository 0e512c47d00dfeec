export { CHAIN_UNREADABLE, NftType } from '@mintmark/envelope'
export {
  type Eligibility,
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
  MINT_UNDECIDED,
  type Mint,
  type MintCounts,
  type MintSignature,
  MintStatus,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  OUT_OF_STOCK,
  type Presale,
  type PresalePhase,
  type Previews,
  PricedBy,
  type WhitelistCount,
  type WhitelistEntry,
  WhitelistMode,
} from '@mintmark/minting'
export type { Asset, GetAssetInput, ListAssetsInput, ListTransfersInput, Transfer } from './assets.ts'
export * as assets from './assets.ts'
export type {
  AddContractInput,
  Contract,
  ContractExtension,
  GetContractExtensionInput,
  GetContractInput,
  ListContractsInput,
  RemoveContractInput,
  UpdateContractExtensionInput,
  UpdateContractInput,
} from './contracts.ts'
export * as contracts from './contracts.ts'
export {
  CollectionPhase,
  CollectionWhitelistEntry,
  type ContractEvents,
  contractEvents,
  LazyCollectionDetails,
} from './events.ts'
export type {
  AddToLazyWhitelistInput,
  CheckLazyWhitelistInput,
  GetLazyCollectionInput,
  GetLazyExtensionInput,
  GetLazyPresaleInput,
  GetLazyPreviewsInput,
  GetLazyProductInput,
  LazyCollection,
  LazyExtension,
  LazyProduct,
  ListLazyWhitelistInput,
  RemoveFromLazyWhitelistInput,
  SignLazyMintInput,
  UpdateLazyCollectionInput,
  UpdateLazyExtensionInput,
  UpdateLazyPresaleInput,
  UpdateLazyPreviewsInput,
} from './lazy-minting.ts'
export * as lazyMinting from './lazy-minting.ts'
export {
  type AddLazyNftInput,
  type GetLazyNftInput,
  LazyNft,
  type LazyNftStatus,
  type ListLazyNftsInput,
  type RemoveLazyNftInput,
  type ReserveRandomLazyNftInput,
  type UpdateLazyNftInput,
} from './lazy-minting-nfts.ts'
export type {
  AddNftInput,
  GetNftInput,
  GetNftPropertiesInput,
  ListNftsInput,
  Nft,
  NftProperty,
  RemoveNftInput,
} from './nfts.ts'
export * as nfts from './nfts.ts'
