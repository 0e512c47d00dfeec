import { transaction } from '@mintmark/server-kit'
import type { Db } from '../../../context.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'
import type { CollectionRow, Program } from '../collections/collections-store.ts'
import * as phases from '../phases/phases-store.ts'
import { type Brought, judgeWhitelist, type Unlisted } from '../whitelist/whitelist-rules.ts'
import * as whitelist from '../whitelist/whitelist-store.ts'
import { makeRoom } from './make-room.ts'
import * as stock from '../nfts/mintable-store.ts'
import { lockDrawn } from './ordered-mints-store.ts'
import * as reservations from './reservations-store.ts'

/** What is to be minted: an NFT, one that is drawn, or the collection's own token. */
export type Wanted = { readonly nft: number } | 'drawn' | 'own'

/** To sign it at once, to keep it for a while, or for an order, of which the wallet may have so many open. */
export type Purpose =
  | { readonly for: 'sign' | 'draw' }
  | { readonly for: 'order'; readonly openOrders: number }

export interface Asked {
  readonly project: number
  readonly program: Program
  readonly contract: contracts.ContractRow
  readonly collection: CollectionRow
  /** The phase that is open. */
  readonly phase: phases.PhaseRow | undefined
  readonly purpose: Purpose
  readonly wanted: Wanted
  readonly quantity: number
  /** Who mints, with what a whitelist may ask for. */
  readonly brought: Brought
}

export type NotReserved =
  | 'not_open'
  | 'limit_reached'
  | 'minted_out'
  | 'not_mintable'
  | 'unknown'
  /** Somebody else did just now what was asked for. */
  | 'again'
  /** An order takes the price. */
  | 'not_paid'
  /** The contract takes the price, or there is none. */
  | 'not_ordered'
  | 'too_many_open'
  | Unlisted

class Unreserved extends Error {
  readonly why: NotReserved

  constructor(why: NotReserved) {
    super(why)
    this.why = why
  }
}

/** What another try can find otherwise, once reservations that are past their time are let go. */
const CURABLE: ReadonlySet<NotReserved> = new Set([
  'limit_reached',
  'minted_out',
  'not_mintable',
  'too_many_open',
])

/**
 * Reserves, or answers the reservation that is there already: the same wallet's, of the same, without a decision on the chain. Each order
 * is a reservation of its own; it takes over what its wallet has drawn. What fails for want of stock first ends what is past its time of
 * the collection's reservations and orders, and is tried once more.
 */
export async function reserve(trx: Db, asked: Asked): Promise<reservations.ReservationRow | NotReserved> {
  let cured = false
  for (let tries = 0; ; tries += 1) {
    try {
      // A part of its own: what it locked is let go before others' reservations are.
      return await transaction(
        trx,
        async (part) => (await lockKnown(part, asked)) ?? (await reserveNew(part, asked)),
      )
    } catch (error) {
      if (!(error instanceof Unreserved)) throw error
      if (error.why === 'again' && tries < 3) continue
      if (cured || !CURABLE.has(error.why) || (await makeRoom(trx, asked.project, asked.collection)) === 0)
        return error.why
      cured = true
    }
  }
}

/** The reservation that the same call made before, if it is undecided. Each draw is a new one. */
export async function findKnown(db: Db, asked: Asked): Promise<reservations.ReservationRow | undefined> {
  const of = sameOf(asked)
  return of && (await reservations.findOpen(db, of))
}

async function lockKnown(trx: Db, asked: Asked): Promise<reservations.ReservationRow | undefined> {
  if (asked.purpose.for === 'order') return await takeDrawn(trx, asked)
  const of = sameOf(asked)
  return of && (await reservations.lockOpen(trx, of))
}

/** What the wallet of an order has drawn before. */
async function takeDrawn(trx: Db, asked: Asked): Promise<reservations.ReservationRow | undefined> {
  const { project, program, phase, wanted, brought } = asked
  if (phase === undefined || typeof wanted === 'string' || program !== 'lazy') return undefined
  const of = { project, phase: phase.id, nft: wanted.nft, recipient: brought.wallet }
  const drawn = await lockDrawn(trx, of)
  if (drawn === undefined) return undefined
  await stock.keepDrawn(trx, project, wanted.nft)
  await countOrder(trx, asked, phase.id)
  return drawn
}

/** One more open order of the wallet, where this is one. */
async function countOrder(trx: Db, { project, purpose, brought }: Asked, phase: number): Promise<void> {
  if (purpose.for !== 'order') return
  const of = { phase, wallet: brought.wallet }
  if (!(await phases.countOpen(trx, project, of, purpose.openOrders))) throw new Unreserved('too_many_open')
}

function sameOf({ project, collection, purpose, wanted, quantity, brought }: Asked) {
  if (wanted === 'drawn' || purpose.for === 'order') return undefined
  const nft = wanted === 'own' ? 0 : wanted.nft
  return { project, collection: collection.id, nft, recipient: brought.wallet, quantity }
}

async function reserveNew(part: Db, asked: Asked): Promise<reservations.ReservationRow> {
  const { project, phase, quantity, brought, collection, purpose } = asked
  if (phase === undefined) throw new Unreserved('not_open')
  if (!(await contracts.keep(part, project, asked.contract.id))) throw new Unreserved('unknown')
  const nft = await takeNft(part, asked)
  const claimed = await phases.claim(part, project, phase.id, quantity)
  if (claimed === undefined) throw new Unreserved(await whyClosed(part, asked, phase.id))
  // Everybody who mints in the phase waits for its row: what the same call made meanwhile is seen from here on.
  if ((await findKnown(part, asked)) !== undefined) throw new Unreserved('again')
  const listed = judgeWhitelist(await whitelist.view(part, claimed, brought.wallet), brought)
  if (listed.unlisted !== undefined) throw new Unreserved(listed.unlisted)
  const counted = { phase: phase.id, wallet: brought.wallet, quantity }
  if (!(await phases.countWallet(part, project, counted, listed.limit))) throw new Unreserved('limit_reached')
  const ownPrice = nft?.price ?? undefined
  const price = ownPrice ?? claimed.price
  // What costs nothing is for nobody to pay.
  const needsOrder = claimed.priced_by === 'ORDER' && BigInt(price) > 0n
  if (needsOrder && purpose.for === 'sign') throw new Unreserved('not_paid')
  if (!needsOrder && purpose.for === 'order') throw new Unreserved('not_ordered')
  await countOrder(part, asked, phase.id)
  const row = {
    project_id: project,
    collection_id: collection.id,
    phase_id: phase.id,
    nft: nft?.id ?? 0,
    recipient: brought.wallet,
    quantity,
    price,
    needs_order: needsOrder,
    wallet_limit: listed.limit,
    pay_token_address:
      nft === undefined || ownPrice === undefined ? claimed.pay_token_address : nft.pay_token_address,
  }
  return await reservations.add(part, row)
}

async function takeNft(part: Db, asked: Asked): Promise<stock.MintableNft | undefined> {
  const { project, program, contract, wanted, quantity } = asked
  if (wanted === 'own') return undefined
  if (wanted === 'drawn') {
    const drawn = await stock.drawNft(part, {
      project,
      contract: contract.id,
      holdSeconds: reservations.HOLD_SECONDS,
    })
    if (drawn === undefined) throw new Unreserved('minted_out')
    return drawn
  }
  const of = { project, nftAddress: contract.nft_address, nft: wanted.nft, quantity }
  const nft = await stock.reserve(part, program, of)
  if (nft === undefined) {
    // The same call may have taken it while this one waited for its row.
    if ((await findKnown(part, asked)) !== undefined) throw new Unreserved('again')
    throw new Unreserved(await stock.whyNot(part, program, of))
  }
  return nft
}

/** The phase has ended, or it has not so many left. */
async function whyClosed(part: Db, { project, collection }: Asked, phase: number): Promise<NotReserved> {
  const open = (await phases.list(part, project, collection.id)).find((each) => each.open)
  return open?.id === phase ? 'minted_out' : 'not_open'
}
