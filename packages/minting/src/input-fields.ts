// The input fields that operations of lazy minting and of product cards share.
import { Amount, creationTimeQuery, Hash, Integer, Positive, Text, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { pricedBy, whitelistMode } from './phase-types.ts'

export const contractAddress = {
  /** The contract's address, in any letter case. The contract must be registered. */
  nftAddress: Text,
}

export const presaleFields = {
  ...contractAddress,
  /**
   * All phases, at most 50. Existing phases that are missing here end. A phase with the name of an existing
   * one keeps its counts and its whitelist.
   */
  phases: v.array(
    v.strictObject({
      /** Identifies the phase in whitelists and mints. Unique among the collection's phases. */
      name: Text,
      /** Later than the start of the previous phase. */
      startTime: Timestamp,
      /**
       * Not later than the next phase's start. Default: the next phase's start, or ten years after its own.
       */
      endTime: v.optional(Timestamp),
      /** Price of one token, in base units of the pay token. 0 if minting is free. */
      price: Amount,
      /** Address of an ERC-20 token. Omitted or `''`: the chain's native token. */
      payTokenAddress: v.optional(v.string()),
      /**
       * What collects the price: `CHAIN` (default), the contract when it mints, or `ORDER`, an order before
       * the mint is signed.
       */
      pricedBy: v.optional(pricedBy),
      /** Maximum for all wallets together. Default 0: no limit. */
      maxClaimable: v.optional(Integer),
      /** Maximum per wallet. Default 0: no limit. */
      limitPerWallet: v.optional(Integer),
      /** `NONE` (default), `LIST` or `MERKLE`. */
      whitelistMode: v.optional(whitelistMode),
      /**
       * For a MERKLE whitelist: the root that proofs must lead to. Omitted or `''`: the root of the entries
       * that were added here.
       */
      merkleRoot: v.optional(v.string()),
    }),
  ),
}

const phaseFields = {
  ...contractAddress,
  /** The phase's name. */
  phase: Text,
}

export const whitelistFields = {
  ...phaseFields,
  /** 1 to 10,000 wallets. The limit of a wallet that is already on the list is replaced. */
  entries: v.array(
    v.strictObject({
      /** The wallet, in any letter case. */
      address: Text,
      /** How many tokens it may mint in the phase, as decimal text. Default 0: the phase's limit. */
      limit: v.optional(Amount),
    }),
  ),
}

export const whitelistedWallet = {
  ...phaseFields,
  /** The wallet, in any letter case. */
  address: Text,
}

export const whitelistQuery = {
  ...contractAddress,
  /** The phase's name. Omitted: all phases. */
  phase: v.optional(Text),
  ...creationTimeQuery,
}

const proofFields = {
  /**
   * The wallet's proof if the phase's Merkle tree is kept elsewhere. Its leaf contains the wallet and
   * `limit`.
   */
  proof: v.optional(v.array(Hash)),
  /** The limit in the leaf that `proof` is for. Default 0. */
  limit: v.optional(Amount),
}

export const eligibilityQuery = {
  ...contractAddress,
  /** The wallet, in any letter case. */
  address: Text,
  ...proofFields,
}

export const reserveFields = {
  ...contractAddress,
  /** The wallet that receives the token. */
  recipient: Text,
  ...proofFields,
}

export const mintSignFields = {
  ...reserveFields,
  /** The NFT. */
  nftId: v.optional(Text),
  /** Number of tokens. Default 1. */
  quantity: v.optional(Positive),
  /** The paid order whose purchase is signed. Omitted: what the wallet has paid for of the same kind. */
  orderNo: v.optional(Text),
}

export const previewFields = {
  ...contractAddress,
  /** At most 100. They replace the previous ones. */
  items: v.array(
    v.strictObject({
      /** URL of the image or media file. */
      url: Text,
      /** The file's MIME type. */
      mediaFileType: v.optional(v.string()),
      /** Caption of the preview. */
      name: v.optional(v.string()),
    }),
  ),
}
