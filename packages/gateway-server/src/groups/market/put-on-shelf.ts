import type { NotFoundError } from '@mintmark/envelope'
import { type CHAIN_UNREADABLE, type commonSales, type Listing, NOT_ENOUGH_OWNED } from '@mintmark/market'
import type { InputOf } from '@mintmark/operation'
import { type Refuse, transaction } from '@mintmark/server-kit'
import type { Db, GatewayContext } from '../../context.ts'
import { findAsset } from './assets-store.ts'
import { shownListing } from './listing-records.ts'
import * as listings from './listings-store.ts'
import { promise } from './promising.ts'
import { faceOf, readSale, walletOf } from './sale-input.ts'
import { defaultEndOf } from './sale-rules.ts'

/** What putting on the shelf works with, and can refuse with. */
export type PutContext = GatewayContext &
  Refuse<typeof NotFoundError | typeof NOT_ENOUGH_OWNED | typeof CHAIN_UNREADABLE>

/** In what listings of a kind differ from ordinary ones. */
export interface SaleKind {
  readonly marketType: number
  /** The only wallets that may buy, in lower case. */
  readonly reservedFor?: readonly string[]
  /** Answers the id of the coupon, found or made in the transaction that makes the listing. */
  readonly coupon?: (trx: Db) => Promise<number>
}

/** Makes a listing, and promises to it what it sells of its owner's token. */
export async function putOnShelf(
  input: InputOf<typeof commonSales.putOnShelf>,
  { marketType, reservedFor = [], coupon }: SaleKind,
  context: PutContext,
): Promise<Listing> {
  const { db, project, refuse, invalid } = context
  const seller = walletOf('seller', input.seller, invalid)
  if (BigInt(input.payPrice) === 0n) invalid('payPrice', 'Expected a price above 0')
  const start = input.startTime === undefined ? new Date() : new Date(input.startTime)
  const end = input.endTime === undefined ? defaultEndOf(start) : new Date(input.endTime)
  if (end <= start) invalid('endTime', 'Expected a time after startTime')
  if (end.getTime() <= Date.now()) invalid('endTime', 'Expected a time to come')
  const { contract, payToken } = await readSale(input, context)
  const { chainId, nftAddress } = contract

  return await transaction(db, async (trx) => {
    const asset = await findAsset(trx, project, { chainId, nftAddress, nftId: input.nftId, owner: seller })
    if (asset === undefined) return refuse(NOT_ENOUGH_OWNED)
    const row = await listings.add(trx, {
      project_id: project,
      market_type: marketType,
      asset_id: asset.id,
      chain_id: chainId,
      nft_address: nftAddress,
      nft_id: input.nftId,
      nft_type: asset.nft_type,
      ...faceOf(contract, input.nftId),
      seller,
      quantity: input.quantity,
      remaining: input.quantity,
      pay_price: input.payPrice,
      ...payToken,
      reserved_for: [...reservedFor],
      coupon_id: (await coupon?.(trx)) ?? null,
      // The database's own moment, where none is given: by this process's clock it might lie ahead.
      ...(input.startTime !== undefined && { start_time: start }),
      end_time: end,
    })
    const held = await promise(trx, project, asset.id, {
      kind: 'listing',
      id: row.id,
      quantity: input.quantity,
    })
    if (!held) refuse(NOT_ENOUGH_OWNED)
    return await shownListing(trx, row)
  })
}
