import type { Tenant } from '../../../database/tenant.ts'
import { RuleViolation } from '../../../rule-violation.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import type { CollectionRow, Program } from '../collections/collections-store.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as phases from '../phases/phases-store.ts'
import { evaluateWhitelist, type WalletClaim, type WhitelistReason } from '../whitelist/whitelist-rules.ts'
import * as whitelist from '../whitelist/whitelist-store.ts'
import { lockDrawn } from './ordered-mints-store.ts'
import { makeRoom } from './release.ts'
import * as reservations from './reservations-store.ts'

/** What to mint: an NFT, a random one, or the collection's own token. */
export type MintTarget = { readonly nft: number } | 'random' | 'own'

/**
 * How many draws of a collection may be open at a time: neither signed nor ordered. Otherwise draws alone
 * could reserve all of it.
 */
export interface DrawLimits {
  readonly perWallet: number
  readonly perCollection: number
}

/**
 * Why to reserve it: to sign it now, to keep it for a while, or for an order, of which the wallet may have
 * `openOrders` open.
 */
export type MintPurpose =
  | { readonly for: 'sign' }
  | { readonly for: 'draw'; readonly limits: DrawLimits }
  | { readonly for: 'order'; readonly openOrders: number }

export interface MintRequest {
  readonly program: Program
  readonly contract: contracts.ContractRow
  readonly collection: CollectionRow
  /** The phase that is open, if any. */
  readonly phase: phases.PhaseRow | undefined
  readonly purpose: MintPurpose
  readonly target: MintTarget
  readonly quantity: number
  /** Who mints, with a proof for the whitelist. */
  readonly claim: WalletClaim
}

/** Why nothing was reserved. */
export type MintReason =
  | 'not_open'
  | 'limit_reached'
  | 'minted_out'
  | 'not_mintable'
  | 'unknown'
  /** An order takes the price. */
  | 'not_paid'
  /** The contract takes the price, or there is no price. */
  | 'not_ordered'
  | 'too_many_open'
  | WhitelistReason

const violation = (reason: MintReason) => new RuleViolation(reason)

/** Reasons that may be gone once expired reservations and overdue orders are released. */
const CURED_BY_EXPIRY: readonly string[] = [
  'limit_reached',
  'minted_out',
  'not_mintable',
  'too_many_open',
] satisfies MintReason[]

/** A concurrent call of the same wallet has reserved the same: a repeat finds that reservation. */
class ConcurrentCallError extends Error {}

/** Attempts after which a call gives up behind concurrent ones. */
const MAX_ATTEMPTS = 4

/**
 * Reserves a mint. Returns the existing reservation of the same wallet for the same target that the chain has
 * not decided. An order always gets a reservation of its own; it takes over what its wallet has drawn. If
 * stock or room in a limit is lacking, expired reservations and overdue orders of the collection are released
 * first, and it is tried a second time. Throws a `RuleViolation` with a `MintReason`.
 */
export async function reserve(
  trx: Tenant,
  orders: OrderPort,
  request: MintRequest,
): Promise<reservations.ReservationRow> {
  try {
    return await attempt(trx, request)
  } catch (error) {
    if (!(error instanceof RuleViolation) || !CURED_BY_EXPIRY.includes(error.reason)) throw error
    const collection = { program: request.program, id: request.collection.id }
    if ((await makeRoom(trx, orders, collection)) === 0) throw error
    return await attempt(trx, request)
  }
}

/** Reserves in a savepoint: its locks are released before reservations of others are locked. */
async function attempt(trx: Tenant, request: MintRequest): Promise<reservations.ReservationRow> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await trx.transaction(
        async (part) => (await lockExisting(part, request)) ?? (await reserveNew(part, request)),
      )
    } catch (error) {
      if (!(error instanceof ConcurrentCallError)) throw error
      if (attempts === MAX_ATTEMPTS) throw violation('not_mintable')
    }
  }
}

/** Finds the undecided reservation of the same request. Every draw is a new one. */
export async function findExisting(
  tenant: Tenant,
  request: MintRequest,
): Promise<reservations.ReservationRow | undefined> {
  const key = keyOf(request)
  return key && (await reservations.findOpen(tenant, key))
}

async function lockExisting(
  trx: Tenant,
  request: MintRequest,
): Promise<reservations.ReservationRow | undefined> {
  if (request.purpose.for === 'order') return await takeDrawn(trx, request)
  const key = keyOf(request)
  return key && (await reservations.lockOpen(trx, key))
}

function keyOf({ collection, purpose, target, quantity, claim }: MintRequest) {
  if (target === 'random' || purpose.for === 'order') return undefined
  const nft = target === 'own' ? 0 : target.nft
  return { collection: collection.id, nft, recipient: claim.wallet, quantity }
}

/** Takes over what the wallet of an order has drawn before. */
async function takeDrawn(
  trx: Tenant,
  request: MintRequest,
): Promise<reservations.ReservationRow | undefined> {
  const { program, phase, target, claim } = request
  if (phase === undefined || typeof target === 'string' || program !== 'lazy') return undefined
  const drawn = await lockDrawn(trx, { phase: phase.id, nft: target.nft, recipient: claim.wallet })
  if (drawn === undefined) return undefined
  await mintable.keepDrawn(trx, target.nft)
  await countOpenOrder(trx, request, phase.id)
  return drawn
}

async function reserveNew(trx: Tenant, request: MintRequest): Promise<reservations.ReservationRow> {
  const { phase, quantity, claim } = request
  if (phase === undefined) throw violation('not_open')
  if (!(await contracts.keep(trx, request.contract.id))) throw violation('unknown')
  const nft = await reserveTarget(trx, request)
  const claimed = await phases.claim(trx, phase.id, quantity)
  if (claimed === undefined) throw violation(await whyNotClaimed(trx, request, phase.id))
  // All mints of the phase wait for its row: from here on, a reservation of a concurrent call is visible.
  if ((await findExisting(trx, request)) !== undefined) throw new ConcurrentCallError()
  const listed = evaluateWhitelist(await whitelist.view(trx, claimed, claim.wallet), claim)
  if (listed.reason !== undefined) throw violation(listed.reason)
  const mint = { phase: phase.id, wallet: claim.wallet, quantity }
  if (!(await phases.countWallet(trx, mint, listed.limit))) throw violation('limit_reached')
  await checkDraws(trx, request)
  const sale = saleOf(request, claimed, nft)
  await countOpenOrder(trx, request, phase.id)
  return await reservations.add(trx, {
    collection_id: request.collection.id,
    phase_id: phase.id,
    nft: nft?.id ?? 0,
    recipient: claim.wallet,
    quantity,
    wallet_limit: listed.limit,
    ...sale,
  })
}

/** Checks the limits of draws. All mints of the phase wait for its row, so no concurrent draw is missed. */
async function checkDraws(trx: Tenant, { purpose, collection, claim }: MintRequest): Promise<void> {
  if (purpose.for !== 'draw') return
  const { perWallet, perCollection } = purpose.limits
  const open = await reservations.countDraws(trx, { collection: collection.id, recipient: claim.wallet })
  if (open.own >= perWallet)
    throw new RuleViolation(
      'limit_reached' satisfies MintReason,
      'The wallet has too many open draws. Order or sign them, or retry later',
    )
  if (open.all >= perCollection)
    throw new RuleViolation(
      'limit_reached' satisfies MintReason,
      'The collection has too many open draws. Retry later',
    )
}

/**
 * Reserves the NFT of a request. Returns undefined for the collection's own token, of which only the phase
 * limits the number.
 */
async function reserveTarget(trx: Tenant, request: MintRequest): Promise<mintable.MintableNft | undefined> {
  const { program, contract, target, quantity } = request
  if (target === 'own') return undefined
  if (target === 'random') {
    const holdSeconds = reservations.HOLD_SECONDS
    const drawn = await mintable.drawNft(trx, { contract: contract.id, holdSeconds })
    if (drawn === undefined) throw violation('minted_out')
    return drawn
  }
  const item = { nftAddress: contract.nft_address, nft: target.nft, quantity }
  const nft = await mintable.reserve(trx, program, item)
  if (nft !== undefined) return nft
  // A concurrent call may have reserved it while this one waited for its row.
  if ((await findExisting(trx, request)) !== undefined) throw new ConcurrentCallError()
  throw violation(await mintable.whyNotReserved(trx, program, item))
}

/** Determines the price, and who takes it: an order, or the contract. */
function saleOf({ purpose }: MintRequest, phase: phases.PhaseRow, nft: mintable.MintableNft | undefined) {
  const hasOwnPrice = nft !== undefined && nft.price !== null
  const price = nft?.price ?? phase.price
  // What is free needs no order.
  const needsOrder = phase.priced_by === 'ORDER' && BigInt(price) > 0n
  if (needsOrder && purpose.for === 'sign') throw violation('not_paid')
  if (!needsOrder && purpose.for === 'order') throw violation('not_ordered')
  const payToken = hasOwnPrice ? nft.pay_token_address : phase.pay_token_address
  return { price, needs_order: needsOrder, pay_token_address: payToken }
}

/** Counts one more open order of the wallet, if the request is for an order. */
async function countOpenOrder(trx: Tenant, { purpose, claim }: MintRequest, phase: number): Promise<void> {
  if (purpose.for !== 'order') return
  const wallet = { phase, wallet: claim.wallet }
  if (!(await phases.countOpen(trx, wallet, purpose.openOrders))) throw violation('too_many_open')
}

/** The phase has ended, or has fewer units left. */
async function whyNotClaimed(
  trx: Tenant,
  { collection }: MintRequest,
  phase: number,
): Promise<'minted_out' | 'not_open'> {
  const open = (await phases.list(trx, collection.id)).find((each) => each.open)
  return open?.id === phase ? 'minted_out' : 'not_open'
}
