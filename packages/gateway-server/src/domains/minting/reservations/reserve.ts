import { NotFoundError } from '@mintmark/envelope'
import {
  MINT_LIMIT_REACHED,
  MINT_NOT_OPEN,
  MINT_NOT_PAID,
  NFT_NOT_MINTABLE,
  NOT_WHITELISTED,
  OUT_OF_STOCK,
} from '@mintmark/minting'
import { TOO_MANY_OPEN_ORDERS } from '@mintmark/orders'
import { createFieldError, type HttpError, isRefusal, refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import { toOpeningTimes } from '../../../http/opening-times.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import type { OrderPort } from '../../inventory/order-port.ts'
import type { CollectionRow, Program } from '../collections/collections-store.ts'
import * as mintable from '../nfts/mintable-store.ts'
import * as phases from '../phases/phases-store.ts'
import { evaluateWhitelist, type WalletClaim } from '../whitelist/whitelist-rules.ts'
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

/** Rules that may allow the mint once expired reservations and overdue orders are released. */
const CURED_BY_EXPIRY = [MINT_LIMIT_REACHED, OUT_OF_STOCK, NFT_NOT_MINTABLE, TOO_MANY_OPEN_ORDERS]

export const NO_NFT = 'The contract has no such NFT'
export const NOT_SOLD_BY_ORDERS =
  'Expected a phase that is priced by orders, and an NFT or token with a price'

/** A concurrent call of the same wallet has reserved the same: a repeat finds that reservation. */
class ConcurrentCallError extends Error {}

/** Attempts after which a call gives up behind concurrent ones. */
const MAX_ATTEMPTS = 4

/**
 * Reserves a mint. Returns the existing reservation of the same wallet for the same target that the chain has
 * not decided. An order always gets a reservation of its own; it takes over what its wallet has drawn. If
 * stock or room in a limit is lacking, expired reservations and overdue orders of the collection are released
 * first, and it is tried a second time.
 */
export async function reserve(
  trx: Tenant,
  orders: OrderPort,
  request: MintRequest,
): Promise<reservations.ReservationRow> {
  try {
    return await attempt(trx, request)
  } catch (error) {
    if (!isRefusal(error, CURED_BY_EXPIRY)) throw error
    if ((await makeRoom(trx, orders, request.collection.id)) === 0) throw error
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
      if (attempts === MAX_ATTEMPTS) throw refusal(NFT_NOT_MINTABLE)
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
  if (phase === undefined) throw await createPhaseRefusal(trx, request)
  if (!(await contracts.keep(trx, request.contract.id))) throw refusal(NotFoundError, NO_NFT)
  const nft = await reserveTarget(trx, request)
  const claimed = await phases.claim(trx, phase.id, quantity)
  if (claimed === undefined) throw await createPhaseRefusal(trx, request)
  // All mints of the phase wait for its row: from here on, a reservation of a concurrent call is visible.
  if ((await findExisting(trx, request)) !== undefined) throw new ConcurrentCallError()
  const listed = evaluateWhitelist(await whitelist.view(trx, claimed, claim.wallet), claim)
  if (listed.problem !== undefined) throw refusal(NOT_WHITELISTED, listed.problem)
  const mint = { phase: phase.id, wallet: claim.wallet, quantity }
  if (!(await phases.countWallet(trx, mint, listed.limit))) throw refusal(MINT_LIMIT_REACHED)
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
    throw refusal(
      MINT_LIMIT_REACHED,
      'The wallet has too many open draws. Order or sign them, or retry later',
    )
  if (open.all >= perCollection)
    throw refusal(MINT_LIMIT_REACHED, 'The collection has too many open draws. Retry later')
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
    if (drawn === undefined) throw refusal(OUT_OF_STOCK, { remaining: 0 })
    return drawn
  }
  const item = { nftAddress: contract.nft_address, nft: target.nft, quantity }
  const nft = await mintable.reserve(trx, program, item)
  if (nft !== undefined) return nft
  // A concurrent call may have reserved it while this one waited for its row.
  if ((await findExisting(trx, request)) !== undefined) throw new ConcurrentCallError()
  throw await createNftRefusal(trx, program, item)
}

/** Determines the price, and who takes it: an order, or the contract. */
function saleOf({ purpose }: MintRequest, phase: phases.PhaseRow, nft: mintable.MintableNft | undefined) {
  const hasOwnPrice = nft !== undefined && nft.price !== null
  const price = nft?.price ?? phase.price
  // What is free needs no order.
  const needsOrder = phase.priced_by === 'ORDER' && BigInt(price) > 0n
  if (needsOrder && purpose.for === 'sign') throw refusal(MINT_NOT_PAID)
  if (!needsOrder && purpose.for === 'order') throw createFieldError('phaseId', NOT_SOLD_BY_ORDERS)
  const payToken = hasOwnPrice ? nft.pay_token_address : phase.pay_token_address
  return { price, needs_order: needsOrder, pay_token_address: payToken }
}

/** Counts one more open order of the wallet, if the request is for an order. */
async function countOpenOrder(trx: Tenant, { purpose, claim }: MintRequest, phase: number): Promise<void> {
  if (purpose.for !== 'order') return
  const wallet = { phase, wallet: claim.wallet }
  if (!(await phases.countOpen(trx, wallet, purpose.openOrders))) throw refusal(TOO_MANY_OPEN_ORDERS)
}

/** Creates the refusal of a mint whose phase is not open, or has fewer units left. */
async function createPhaseRefusal(trx: Tenant, { collection, phase }: MintRequest): Promise<HttpError> {
  const all = await phases.list(trx, collection.id)
  const own = all.find(({ id }) => id === phase?.id)
  if (own?.open) return refusal(OUT_OF_STOCK, { remaining: Math.max(0, own.max_claimable - own.claimed) })
  const next = own ?? all.find(({ upcoming }) => upcoming)
  return refusal(MINT_NOT_OPEN, next && toOpeningTimes(next))
}

/** Creates the refusal of a mint whose NFT cannot be reserved: it is unknown, not displayed, or too few are left. */
async function createNftRefusal(
  trx: Tenant,
  program: Program,
  item: { nftAddress: string; nft: number },
): Promise<HttpError> {
  const state = await mintable.findState(trx, program, item)
  if (state === undefined) return refusal(NotFoundError, NO_NFT)
  // A displayed product has units left, but fewer than requested.
  const isProductOnSale = program === 'product' && state.status !== 'HIDDEN'
  return isProductOnSale ? refusal(OUT_OF_STOCK, { remaining: state.remaining }) : refusal(NFT_NOT_MINTABLE)
}
