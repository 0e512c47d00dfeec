/**
 * What the two groups that sell tokens before they are minted, lazy minting and product cards, have alike: presales, whitelists and mint
 * signatures. Their packages export all of it.
 */
import {
  Amount,
  CHAIN_UNREADABLE,
  Hash,
  Integer,
  Positive,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import * as v from 'valibot'

/**
 * No phase of the presale is open: nothing can be minted now.
 *
 * Look at the presale for when the next phase opens.
 */
export const MINT_NOT_OPEN = { code: 40951, reason: 'MINT_NOT_OPEN' } as const
/**
 * The wallet has reserved and minted as many as it may in this phase.
 *
 * Wait for the next phase, or until a reservation that was not used comes back.
 */
export const MINT_LIMIT_REACHED = { code: 40952, reason: 'MINT_LIMIT_REACHED' } as const
/**
 * Of the phase, or of what is minted, there are not so many left. A reservation that is not used comes back.
 *
 * Ask for fewer, or again later.
 */
export const MINTED_OUT = { code: 40953, reason: 'MINTED_OUT' } as const
/**
 * The NFT is hidden, reserved by another wallet, or minted.
 *
 * Take another NFT, such as a random one.
 */
export const NFT_NOT_MINTABLE = { code: 40954, reason: 'NFT_NOT_MINTABLE' } as const
/**
 * The signature before has expired, and the chain does not show for good whether it was used: a new one could mint twice. Calling
 * again later can succeed.
 *
 * Send the same call again later.
 */
export const MINT_UNDECIDED = { code: 40955, reason: 'MINT_UNDECIDED' } as const
/**
 * An order takes the price: it is signed once `orders.preOrder` was paid, and the order is a SUCCESS. The message tells how it stands.
 *
 * Pay the order, wait until it is a SUCCESS, and send the same call again.
 */
export const MINT_NOT_PAID = { code: 40957, reason: 'MINT_NOT_PAID' } as const
/**
 * The whitelist does not let the wallet mint; the message begins with the reason. An empty whitelist lets nobody.
 *
 * Check the wallet's eligibility, and send its proof where the whitelist is kept elsewhere.
 */
export const NOT_WHITELISTED = { code: 40351, reason: 'NOT_WHITELISTED' } as const

/** Everything that a mint can be refused for by a rule. */
export const mintRefusals = [
  MINT_NOT_OPEN,
  MINT_LIMIT_REACHED,
  MINTED_OUT,
  NFT_NOT_MINTABLE,
  MINT_UNDECIDED,
  MINT_NOT_PAID,
  NOT_WHITELISTED,
  CHAIN_UNREADABLE,
] as const

const phase = record({
  /** How many are reserved and minted in it. */
  claimed: Integer,
  /** When it closes. */
  endTime: Timestamp,
  /** What `orders.preOrder` takes as `listingId` where the phase is priced by orders. */
  id: Integer,
  /** How many one wallet may mint; 0: any number. */
  limitPerWallet: Integer,
  /** How many all wallets together may mint; 0: any number. */
  maxClaimable: Integer,
  /** The root that proofs must lead to; `''`: the one of the whitelist that is kept here. */
  merkleRoot: v.string(),
  /** The phase's name, by which whitelists and mints refer to it. */
  name: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** Of one, in base units of the pay token. */
  price: Amount,
  /** Who takes the price: `CHAIN`, the contract when it mints, or `ORDER`, an order of `orders.preOrder` before it is signed. */
  pricedBy: v.string(),
  /** When it opens. */
  startTime: Timestamp,
  /** `NONE`, `LIST` or `MERKLE`. */
  whitelistMode: v.string(),
})
/** A phase of a presale. Phases do not overlap. */
export interface PresalePhase extends v.InferOutput<typeof phase> {}
export const PresalePhase: Schema<PresalePhase> = phase

const presale = record({
  /** The name of the phase that is open by the database's clock; `''` while none is, and nothing can be minted. */
  active: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** In the order of their starts. */
  phases: v.array(PresalePhase),
})
/** When, at what price and by whom the tokens of a contract can be minted. */
export interface Presale extends v.InferOutput<typeof presale> {}
export const Presale: Schema<Presale> = presale

const whitelistEntry = record({
  /** The wallet, in lower case. */
  address: v.string(),
  /** When it was made. */
  createTime: Timestamp,
  /** Its id. */
  id: Integer,
  /** How many it may mint in the phase, a decimal text; `0`: as the phase says. */
  limit: Amount,
  /** The phase's name. */
  phase: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
})
/** A wallet on the whitelist of a phase. */
export interface WhitelistEntry extends v.InferOutput<typeof whitelistEntry> {}
export const WhitelistEntry: Schema<WhitelistEntry> = whitelistEntry

const eligibility = record({
  /** Whether the wallet can mint one now. */
  eligible: v.boolean(),
  /** How many the whitelist lets the wallet mint in the phase, a decimal text: what stands in its leaf. `0`: as the phase says. */
  limit: Amount,
  /** The root that the proof leads to; `''` where the whitelist has none. */
  merkleRoot: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The phase that is open; `''` for none. */
  phase: v.string(),
  /** Its id; 0 for none. */
  phaseId: Integer,
  /** Of one, in base units of the pay token. */
  price: Amount,
  /** Who takes the price: `CHAIN` or `ORDER`; `''` where no phase is open. */
  pricedBy: v.string(),
  /** The wallet's proof, as OpenZeppelin's `MerkleProof.verify` takes it; empty unless the whitelist is a Merkle tree that is kept here. */
  proof: v.array(Hash),
  /**
   * Why it cannot: `not_open`, `whitelist_empty`, `not_listed`, `wrong_proof`, `limit_reached`, `minted_out`; empty where it can.
   */
  reasons: v.array(v.string()),
  /** How many more it can mint in this phase; -1 where nothing limits it. */
  remaining: Integer,
})
/** Whether a wallet can mint now, and with what proof. */
export interface Eligibility extends v.InferOutput<typeof eligibility> {}
export const Eligibility: Schema<Eligibility> = eligibility

const previews = record({
  /** The `url` of each, its `name` and its MIME type, in the order they were given. */
  items: v.array(record({ mediaFileType: v.string(), name: v.string(), url: v.string() })),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
})
/** Images and multimedia that show what will be minted. */
export interface Previews extends v.InferOutput<typeof previews> {}
export const Previews: Schema<Previews> = previews

const mintCounts = record({
  /** NFTs that can be minted by whom the presale lets. */
  displayed: Integer,
  /** NFTs that are not shown. */
  hidden: Integer,
  /** NFTs that are minted. */
  minted: Integer,
  /** How many tokens were minted, of NFTs and by quantity. */
  mintedTokens: Integer,
  /** NFTs that are kept for somebody who may still mint them. */
  reserved: Integer,
})
/** How a collection's NFTs stand. */
export interface MintCounts extends v.InferOutput<typeof mintCounts> {}
export const MintCounts: Schema<MintCounts> = mintCounts

/** A mint, as it stands. */
const mintFields = {
  /** When it was made. */
  createTime: Timestamp,
  /** Milliseconds since the epoch. */
  createTimeLong: Integer,
  /** Its id. */
  id: Integer,
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** The NFT; `''` for the collection's own token. */
  nftId: v.string(),
  /** The order that has paid for it, so that the contract takes nothing; `''` where the contract takes the price. */
  orderNo: v.string(),
  /** The phase's name. */
  phase: v.string(),
  /** Of one, in base units of the pay token. */
  price: Amount,
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The project that it belongs to. */
  projectId: Integer,
  /** How many tokens. */
  quantity: Integer,
  /** The wallet that gets the token, in lower case. */
  recipient: v.string(),
  /** `SIGNED`, `MINTED` once it is final on the chain, `RELEASED` once it is final that the signature has expired unused. */
  status: v.string(),
  /** What the contract knows this mint by. */
  uid: v.string(),
  /** The signature's end, by the chain's clock. */
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
  /** The `MintRequest` of thirdweb's SignatureMintERC721; numbers are decimal texts. */
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
  /** 65 bytes: what `mintWithSignature(payload, signature)` takes. */
  signature: v.string(),
  /** The project's minter, which the contract has to let sign. */
  signer: v.string(),
})
/** A signed permission to mint: whoever has it can send it to the contract, and the token goes to the recipient. */
export interface MintSignature extends v.InferOutput<typeof mintSignature> {}
export const MintSignature: Schema<MintSignature> = mintSignature

const mint = record({
  ...mintFields,
  /** The transaction that minted it; `''` before. */
  hash: v.string(),
  /** The first token that it minted; `''` before. */
  tokenId: v.string(),
})
/** A mint that was signed, with what became of it. */
export interface Mint extends v.InferOutput<typeof mint> {}
export const Mint: Schema<Mint> = mint

/** What names a contract. */
export const contractAddress = {
  /** The contract's address; case does not matter. It must be registered. */
  nftAddress: Text,
}

export const presaleFields = {
  ...contractAddress,
  /** All phases, at most 50: those that are not named end. One of a name that is known keeps its counts and its whitelist. */
  phases: v.array(
    v.strictObject({
      /** By which whitelists and mints refer to it; unique among the collection's phases. */
      name: Text,
      /** Later than the start of the phase before it. */
      startTime: Timestamp,
      /** Not later than the next phase's start. Default: that, or ten years after its own start. */
      endTime: v.optional(Timestamp),
      /** Of one, in base units of the pay token; 0 for nothing. */
      price: Amount,
      /** An ERC-20's address; none or `''` for the chain's native token. */
      payTokenAddress: v.optional(v.string()),
      /** Who takes the price: `CHAIN` (default), the contract when it mints, or `ORDER`, an order before it is signed. */
      pricedBy: v.optional(v.string()),
      /** How many all wallets together may mint; default 0: any number. */
      maxClaimable: v.optional(Integer),
      /** How many one wallet may mint; default 0: any number. */
      limitPerWallet: v.optional(Integer),
      /** `NONE` (default), `LIST` or `MERKLE`. */
      whitelistMode: v.optional(v.string()),
      /** Of a MERKLE whitelist: the root that proofs must lead to; none or `''` for that of the entries added here. */
      merkleRoot: v.optional(v.string()),
    }),
  ),
}

const phaseOf = {
  ...contractAddress,
  /** The phase's name. */
  phase: Text,
}

export const whitelistFields = {
  ...phaseOf,
  /** 1 to 10,000 wallets; one that is there already gets the limit that is given now. */
  entries: v.array(
    v.strictObject({
      /** The wallet; case does not matter. */
      address: Text,
      /** How many it may mint in the phase, a decimal text; default 0: as the phase says. */
      limit: v.optional(Amount),
    }),
  ),
}

export const whitelistedWallet = {
  ...phaseOf,
  /** The wallet; case does not matter. */
  address: Text,
}

export const whitelistQuery = {
  ...contractAddress,
  /** The phase's name; none for all. */
  phase: v.optional(Text),
}

const proof = {
  /** The wallet's proof where the phase's Merkle tree is kept elsewhere; its leaf is of the wallet and `limit`. */
  proof: v.optional(v.array(Hash)),
  /** The limit in the leaf that `proof` is for; default 0. */
  limit: v.optional(Amount),
}

export const eligibilityQuery = {
  ...contractAddress,
  /** The wallet; case does not matter. */
  address: Text,
  ...proof,
}

export const reserveFields = {
  ...contractAddress,
  /** The wallet that gets the token. */
  recipient: Text,
  ...proof,
}

export const mintSignFields = {
  ...reserveFields,
  /** The NFT. */
  nftId: v.optional(Text),
  /** How many tokens; default 1. */
  quantity: v.optional(Positive),
  /** The order that has paid: what it bought is signed. Without one, what the wallet has paid of the same kind. */
  orderNo: v.optional(Text),
}

export const previewFields = {
  ...contractAddress,
  /** At most 100; they replace those before. */
  items: v.array(
    v.strictObject({
      /** Where the picture or the media file is. */
      url: Text,
      /** The file's MIME type. */
      mediaFileType: v.optional(v.string()),
      /** What is shown beside it. */
      name: v.optional(v.string()),
    }),
  ),
}

const whitelistCount = record({
  /** How many entries were added or changed. */
  count: Integer,
})
/** How much of a whitelist was written. */
export interface WhitelistCount extends v.InferOutput<typeof whitelistCount> {}
export const WhitelistCount: Schema<WhitelistCount> = whitelistCount
