import { Amount, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'

/** The values of a mint's `status`. */
export const MintStatus = { SIGNED: 'SIGNED', MINTED: 'MINTED', RELEASED: 'RELEASED' } as const
/** The status of a signed mint. */
export type MintStatus = (typeof MintStatus)[keyof typeof MintStatus]

// A newer server may return further values, so the type of the record is open.
const status: Schema<MintStatus | (string & {})> = v.string()

const previews = record({
  /** The `url`, `name` and MIME type of each preview, in the order of the request that wrote them. */
  items: v.array(record({ mediaFileType: v.string(), name: v.string(), url: v.string() })),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** Images and media files that show what will be minted. */
export interface Previews extends v.InferOutput<typeof previews> {}
export const Previews: Schema<Previews> = previews

const mintCounts = record({
  /** NFTs that can be minted by every wallet that the presale allows. */
  displayed: Integer,
  /** NFTs that are not shown. */
  hidden: Integer,
  /** NFTs that are minted. */
  minted: Integer,
  /** Number of minted tokens, including those that are minted by quantity. */
  mintedTokens: Integer,
  /** NFTs that are reserved for a wallet that can still mint them. */
  reserved: Integer,
})
/** The number of a collection's NFTs by status. */
export interface MintCounts extends v.InferOutput<typeof mintCounts> {}
export const MintCounts: Schema<MintCounts> = mintCounts

const mintFields = {
  /** When the mint was created. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** The mint's id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The NFT. `''` for the collection's own token. */
  nftId: v.string(),
  /**
   * The order that paid for the mint, so that the contract collects nothing. `''` if the contract collects
   * the price.
   */
  orderNo: v.string(),
  /** The phase's name. */
  phase: v.string(),
  /** Price of one token, in base units of the pay token. */
  price: Amount,
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The project that the mint belongs to. */
  projectId: Integer,
  /** Number of tokens. */
  quantity: Integer,
  /** The wallet that receives the token, in lower case. */
  recipient: v.string(),
  /**
   * `SIGNED`. `MINTED` once the mint is final on the chain. `RELEASED` once it is final that the signature
   * expired unused.
   */
  status,
  /** Identifies this mint in the contract. */
  uid: v.string(),
  /** When the signature expires, by the chain's clock. */
  validUntil: Timestamp,
}

const mintSignature = record({
  ...mintFields,
  /** The EIP-712 domain. */
  domain: record({
    chainId: Integer,
    name: v.string(),
    verifyingContract: v.string(),
    version: v.string(),
  }),
  /** The `MintRequest` of thirdweb's SignatureMintERC721. Numbers are decimal text. */
  payload: record({
    to: v.string(),
    royaltyRecipient: v.string(),
    royaltyBps: v.string(),
    primarySaleRecipient: v.string(),
    uri: v.string(),
    quantity: v.string(),
    pricePerToken: v.string(),
    currency: v.string(),
    validityStartTimestamp: v.string(),
    validityEndTimestamp: v.string(),
    uid: v.string(),
  }),
  /** 65 bytes, the second argument of `mintWithSignature(payload, signature)`. */
  signature: v.string(),
  /** The project's minter. The contract must grant it the right to sign mints. */
  signer: v.string(),
})
/**
 * A signed permission to mint. Whoever holds it can send it to the contract; the recipient receives the
 * token.
 */
export interface MintSignature extends v.InferOutput<typeof mintSignature> {}
export const MintSignature: Schema<MintSignature> = mintSignature

const mint = record({
  ...mintFields,
  /** The transaction that minted it. `''` before that. */
  hash: v.string(),
  /** The first token that it minted. `''` before that. */
  tokenId: v.string(),
})
/** A signed mint and its outcome. */
export interface Mint extends v.InferOutput<typeof mint> {}
export const Mint: Schema<Mint> = mint
