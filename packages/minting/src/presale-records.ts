import { Amount, Hash, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import * as v from 'valibot'
import { pricedBy, whitelistMode } from './phase-types.ts'
import type { mintRefusals } from './rules.ts'

const phase = record({
  /** How many tokens are reserved or minted in the phase. */
  claimed: Integer,
  /** When it closes. */
  endTime: Timestamp,
  /** The `phaseId` for `orders.preOrder` if the phase is priced by orders. */
  id: Integer,
  /** How many tokens one wallet may mint. 0: no limit. */
  limitPerWallet: Integer,
  /** How many tokens all wallets together may mint. 0: no limit. */
  maxClaimable: Integer,
  /** The root that proofs must lead to. `''`: the root of the whitelist that is kept here. */
  merkleRoot: v.string(),
  /** Identifies the phase in whitelists and mints. */
  name: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** Price of one token, in base units of the pay token. */
  price: Amount,
  /**
   * What collects the price: `CHAIN`, the contract when it mints, or `ORDER`, an order from `orders.preOrder`
   * before the mint is signed.
   */
  pricedBy,
  /** When it opens. */
  startTime: Timestamp,
  /** `NONE`, `LIST` or `MERKLE`. */
  whitelistMode,
})
/** A phase of a presale. Phases do not overlap. */
export interface PresalePhase extends v.InferOutput<typeof phase> {}
export const PresalePhase: Schema<PresalePhase> = phase

const presale = record({
  /**
   * The name of the phase that is open by the database's clock. `''`: no phase is open, and nothing can be
   * minted.
   */
  active: v.string(),
  /** The contract's address, in lower case. */
  nftAddress: v.string(),
  /** Ordered by start time. */
  phases: v.array(PresalePhase),
})
/** When, at what price and by whom the tokens of a contract can be minted. */
export interface Presale extends v.InferOutput<typeof presale> {}
export const Presale: Schema<Presale> = presale

const whitelistEntry = record({
  /** The wallet, in lower case. */
  address: v.string(),
  /** When the entry was created. */
  createTime: Timestamp,
  /** The entry's id. */
  id: Integer,
  /** How many tokens the wallet may mint in the phase, as decimal text. `0`: the phase's limit. */
  limit: Amount,
  /** The phase's name. */
  phase: v.string(),
  /** The project that the entry belongs to. */
  projectId: Integer,
})
/** A wallet on the whitelist of a phase. */
export interface WhitelistEntry extends v.InferOutput<typeof whitelistEntry> {}
export const WhitelistEntry: Schema<WhitelistEntry> = whitelistEntry

const whitelistCount = record({
  /** How many entries were added or changed. */
  count: Integer,
})
/** The number of whitelist entries that a call wrote. */
export interface WhitelistCount extends v.InferOutput<typeof whitelistCount> {}
export const WhitelistCount: Schema<WhitelistCount> = whitelistCount

// A newer server may have further rules, so this type is open.
const mintReason: Schema<(typeof mintRefusals)[number]['reason'] | (string & {})> = v.string()

const eligibility = record({
  /** Whether the wallet can mint a token now. */
  eligible: v.boolean(),
  /**
   * How many tokens the whitelist allows the wallet in the phase, as decimal text: the limit in its leaf.
   * `0`: the phase's limit.
   */
  limit: Amount,
  /** The root that the proof leads to. `''` if the whitelist has no root. */
  merkleRoot: v.string(),
  /** `''` for the chain's native token. */
  payTokenAddress: v.string(),
  /** The open phase. `''` if no phase is open. */
  phase: v.string(),
  /** The open phase's id. 0 if no phase is open. */
  phaseId: Integer,
  /** Price of one token, in base units of the pay token. */
  price: Amount,
  /** What collects the price: `CHAIN` or `ORDER`. `''` if no phase is open. */
  pricedBy,
  /**
   * The wallet's proof for OpenZeppelin's `MerkleProof.verify`. Empty unless the whitelist is a Merkle tree
   * that is kept here.
   */
  proof: v.array(Hash),
  /**
   * The rules that would refuse a mint by the wallet: `MINT_NOT_OPEN`, `NOT_WHITELISTED`,
   * `MINT_LIMIT_REACHED`, `OUT_OF_STOCK`. Empty if it can mint.
   */
  reasons: v.array(mintReason),
  /** How many more tokens the wallet can mint in this phase. -1: no limit. */
  remaining: Integer,
})
/** Whether a wallet can mint now, and with which proof. */
export interface Eligibility extends v.InferOutput<typeof eligibility> {}
export const Eligibility: Schema<Eligibility> = eligibility
