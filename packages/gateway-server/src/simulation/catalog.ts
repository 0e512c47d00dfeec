import { devAccount } from '@mintmark/devkit/chain/accounts'
import { SIMULATION_START_MS } from '@mintmark/devkit/simulation/simulation'
import { openDatabase } from '@mintmark/server-kit'
import * as listings from '../domains/market/listings/listings-store.ts'
import { reserveAsset } from '../domains/market/reserve-asset.ts'
import type { Tables } from '../tables.ts'
import { openTenant } from '../tenant.ts'

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
 * The listings of all simulations. Both projects sell for one seller on one chain, so that a transfer can pay in either of them. One listing ends
 * while its orders are paid.
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
    const projects = new Map<string, number>()
    for (const name of ['shop', 'rival']) {
      const created = database.system.insertInto('gateway.projects').values({ name }).returning('id')
      projects.set(name, (await created.executeTakeFirstOrThrow()).id)
    }
    const offers: Offer[] = []
    for (const [index, offered] of OFFERED_LISTINGS.entries()) {
      const project = projects.get(offered.project) ?? 0
      offers.push({ project, listing: await createOffer(database, project, offered, index) })
    }
    return offers
  } finally {
    await database.close()
  }
}

async function createOffer(
  database: ReturnType<typeof openDatabase<Tables>>,
  project: number,
  { payToken, endMs }: OfferedListing,
  index: number,
): Promise<number> {
  const chain = { chain_id: String(CHAIN_ID), nft_type: 'ERC1155' }
  const nft = { ...chain, nft_address: `0x${(0xc0 + index).toString(16).repeat(20)}` }
  return await openTenant(database, project).transaction(async (trx) => {
    await trx
      .insertInto('gateway.contracts')
      .values({ ...nft, name: 'Prints', owner: SELLER })
      .execute()
    const asset = await trx
      .insertInto('gateway.assets')
      .values({ ...nft, nft_id: '7', owner: SELLER, quantity: String(OWNED_UNITS) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await listings.add(trx, {
      ...nft,
      market_type: 1,
      nft_id: '7',
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
