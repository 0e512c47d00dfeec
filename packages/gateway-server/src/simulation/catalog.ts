import { devAccount } from '@mintmark/devkit/chain/accounts'
import { SIMULATION_START_MS } from '@mintmark/devkit/simulation/simulation'
import { type Database, openDatabase, transaction } from '@mintmark/server-kit'
import type { Tables } from '../database/tables.ts'
import { openTenant } from '../database/tenant.ts'
import { findAsset } from '../domains/inventory/assets-store.ts'
import * as listings from '../domains/market/listings/listings-store.ts'
import { reserveAsset } from '../domains/market/reserve-asset.ts'
import { ensureProject } from '../keys/keys-store.ts'
import { createOwnedToken } from '../testing/create-listing.ts'

export const CHAIN_ID = 84_532
export const TOKEN = `0x${'70'.repeat(20)}`
/** Not used by orders. The simulated chain has one. */
export const TREASURY = `0x${'7e'.repeat(20)}`

const lowerCase = (index: number): string => devAccount(index).address.toLowerCase()

export const SELLER = lowerCase(0)
export const BUYERS = [lowerCase(1), lowerCase(2), lowerCase(3)] as const
export const STRANGER = lowerCase(4)

/** What a unit costs, in base units of the token and in wei. */
const PRICE = 1000n
/** The units that the seller has of each token. */
const OWNED_UNITS = 10
const LISTED_UNITS = 3
const MINUTE_MS = 60_000

interface OfferedListing {
  readonly project: 'shop' | 'rival'
  readonly payToken: string
  /** Milliseconds after the simulation's start. */
  readonly endMs: number
}

/**
 * The listings of all simulations. Both projects sell for one seller on one chain, so that a transfer can pay
 * in either of them. One listing ends while its orders are paid.
 */
export const OFFERED_LISTINGS: readonly OfferedListing[] = [
  { project: 'shop', payToken: TOKEN, endMs: 100_000 * MINUTE_MS },
  { project: 'shop', payToken: '', endMs: 100_000 * MINUTE_MS },
  { project: 'shop', payToken: TOKEN, endMs: 2 * MINUTE_MS },
  { project: 'rival', payToken: TOKEN, endMs: 100_000 * MINUTE_MS },
]

/** A listing in the database. */
export interface Offer {
  readonly project: number
  readonly listing: number
}

/** Creates the projects, their tokens and their listings. */
export async function createOffers(url: string): Promise<Offer[]> {
  // As the schema's owner, whom row-level security does not limit.
  const database = openDatabase<Tables>({ url, max: 1 })
  try {
    const offers: Offer[] = []
    for (const [index, offered] of OFFERED_LISTINGS.entries()) {
      const project = await transaction(database.system, (trx) => ensureProject(trx, offered.project))
      offers.push({ project, listing: await createOffer(database, project, offered, index) })
    }
    return offers
  } finally {
    await database.close()
  }
}

async function createOffer(
  database: Database<Tables>,
  project: number,
  { payToken, endMs }: OfferedListing,
  index: number,
): Promise<number> {
  const nftAddress = `0x${(0xc0 + index).toString(16).repeat(20)}`
  const owned = { chainId: String(CHAIN_ID), seller: SELLER, nftAddress, quantity: OWNED_UNITS }
  const { nftId } = await createOwnedToken({ owner: database }, project, owned)
  return await openTenant(database, project).transaction(async (trx) => {
    const asset = await findAsset(trx, { ...owned, nftId, owner: SELLER })
    if (asset === undefined) throw new Error('The simulation has no token')
    const { id } = await listings.add(trx, {
      market_type: 1,
      chain_id: owned.chainId,
      nft_address: nftAddress,
      nft_id: nftId,
      nft_type: asset.nft_type,
      asset_id: asset.id,
      seller: SELLER,
      quantity: LISTED_UNITS,
      remaining: LISTED_UNITS,
      pay_price: PRICE.toString(),
      pay_token_address: payToken,
      start_time: new Date(SIMULATION_START_MS - MINUTE_MS),
      end_time: new Date(SIMULATION_START_MS + endMs),
    })
    const isReserved = await reserveAsset(trx, asset.id, { kind: 'listing', id }, LISTED_UNITS)
    if (!isReserved) throw new Error('The simulation could not list a token')
    return id
  })
}
