import { NotFoundError } from '@mintmark/envelope'
import type { mintSignFields } from '@mintmark/envelope/minting'
import { OrderStatus } from '@mintmark/orders'
import type { Db } from '../../context.ts'
import { lockById } from '../orders/orders-store.ts'
import type { Minting, Signing } from './mint-handlers.ts'
import { findOfOrder, findSold, lockLive, type OrderedRow } from './ordered-store.ts'
import type { InputOfFields } from './presale-handlers.ts'
import type { ReservationRow } from './reservations-store.ts'
import { signReservation } from './sign.ts'

/** Why nothing was signed of what an order has, or should have, paid. */
export type NotSigned = 'not_paid' | 'minted' | 'undecided'

type Input = InputOfFields<typeof mintSignFields>

/**
 * What the wallet has of what orders sell, where the call means that: what it names the order of, or has paid of the same kind. Undefined
 * where it is to be minted at the contract's price.
 */
export async function findSoldOf(
  input: Input,
  context: Minting,
  signing: Signing,
): Promise<OrderedRow | undefined> {
  for (;;) {
    const row = await (input.orderNo === undefined
      ? findLike(input, context, signing)
      : findNamed(input, input.orderNo, context, signing))
    if (row?.status !== 'SIGNED' || row.hash !== '' || !(await signing.noteUse(row))) return row
  }
}

async function findNamed(
  { nftId, quantity }: Input,
  orderNo: string,
  { db, project, refuse, invalid }: Minting,
  { found, recipient }: Signing,
): Promise<OrderedRow> {
  const row =
    (await findOfOrder(db, project, { collection: found.kept.id, orderNo })) ??
    refuse(NotFoundError, 'No order of this number is for what this contract mints')
  if (row.recipient !== recipient) invalid('recipient', "Expected the order's own recipient")
  if (nftId !== undefined && nftId !== String(row.nft))
    invalid('nftId', "Expected the order's own NFT, or none")
  if (quantity !== undefined && quantity !== row.quantity)
    invalid('quantity', `Expected the order's own ${row.quantity}, or none`)
  return row
}

async function findLike(
  { nftId, quantity = 1 }: Input,
  { db, project }: Minting,
  { program, found, recipient }: Signing,
): Promise<OrderedRow | undefined> {
  const { kept, phase } = found
  const ofAny = program === 'product' ? undefined : 0
  const nft = nftId === undefined ? ofAny : Number(nftId)
  // No id of anything.
  if (nft !== undefined && !Number.isSafeInteger(nft)) return undefined
  const row = await findSold(db, { project, collection: kept.id, recipient, quantity, nft })
  if (row === undefined || row.order_status === OrderStatus.SUCCESS) return row
  // What is not paid stands in nobody's way where the contract takes the price by now, unless there is one of it alone.
  const isOnlyOne = program === 'lazy' && row.nft !== 0
  return phase?.priced_by === 'CHAIN' && !isOnlyOne ? undefined : row
}

/** Signs what an order has paid, or answers the signature that is there already. */
export async function signSold(
  trx: Db,
  { project, minters }: Pick<Minting, 'project' | 'minters'>,
  { program, found, moment }: Signing,
  sold: OrderedRow,
): Promise<ReservationRow | NotSigned> {
  if (sold.order_id === null) return 'not_paid'
  // The order before what it has reserved, as everywhere; locked, it stays what it is while this is signed.
  const order = await lockById(trx, project, sold.order_id)
  if (order?.status !== OrderStatus.SUCCESS) return 'not_paid'
  const row = await lockLive(trx, order)
  if (row === undefined) return 'not_paid'
  if (row.status === 'MINTED' || row.hash !== '') return 'minted'
  if (row.status === 'SIGNED') return row.valid_until < moment.time ? 'undecided' : row
  return await signReservation(trx, minters, { program, collection: found.collection, moment }, row)
}

const STATUS_NAMES = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** How it stands with what has to be paid first. */
export function howUnpaid({ order_no: orderNo, order_status: status }: OrderedRow): string {
  if (status === null) return 'What was drawn is sold by an order: make one by preOrder, and pay it'
  return `The order ${orderNo} is ${STATUS_NAMES[status] ?? status}: it is signed once that is SUCCESS`
}
