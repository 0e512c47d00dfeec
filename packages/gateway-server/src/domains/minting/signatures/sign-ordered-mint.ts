import { MINT_NOT_PAID, MINT_UNDECIDED, type mintSignFields, NFT_NOT_MINTABLE } from '@mintmark/minting'
import { OrderStatus } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import type { Tenant } from '../../../database/tenant.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import type { Calling, InputOfFields } from '../collections/collection-handlers.ts'
import { findOfOrder, findSold, lockLive, type SoldMint } from '../reservations/ordered-mints-store.ts'
import type { ReservationRow } from '../reservations/reservations-store.ts'
import { signReservation } from './sign-mint.ts'
import type { SigningRequest } from './signing.ts'

type Input = InputOfFields<typeof mintSignFields>

/**
 * Finds the mint that the wallet has bought, or is to buy, by an order: the one whose order the call names,
 * or one of the same kind. Returns undefined if the contract takes the price.
 */
export async function findSoldMint(
  input: Input,
  context: Calling,
  request: SigningRequest,
): Promise<SoldMint | undefined> {
  for (;;) {
    const row =
      input.orderNo === undefined
        ? await findSimilar(input, context, request)
        : await findNamed(input, input.orderNo, context, request)
    const mayBeUsed = row?.status === 'SIGNED' && row.hash === ''
    if (!mayBeUsed || !(await request.recordUse(row))) return row
  }
}

async function findNamed(
  { nftId, quantity }: Input,
  orderNo: string,
  { tenant, invalid }: Calling,
  { sale, recipient }: SigningRequest,
): Promise<SoldMint> {
  const row = ensureFound(
    await findOfOrder(tenant, { collection: sale.stored.id, orderNo }),
    'No order with this number is for a mint of this contract',
  )
  if (row.recipient !== recipient) invalid('recipient', "Expected the order's own recipient")
  if (nftId !== undefined && nftId !== String(row.nft))
    invalid('nftId', "Expected the order's own NFT, or none")
  if (quantity !== undefined && quantity !== row.quantity)
    invalid('quantity', `Expected the order's own ${row.quantity}, or none`)
  return row
}

async function findSimilar(
  { nftId, quantity = 1 }: Input,
  { tenant }: Calling,
  { program, sale, recipient }: SigningRequest,
): Promise<SoldMint | undefined> {
  const { stored, phase } = sale
  const defaultNft = program === 'product' ? undefined : 0
  const nft = nftId === undefined ? defaultNft : Number(nftId)
  // No NFT has such an id.
  if (nft !== undefined && !Number.isSafeInteger(nft)) return undefined
  const row = await findSold(tenant, { collection: stored.id, recipient, quantity, nft })
  if (row === undefined || row.order_status === OrderStatus.SUCCESS) return row
  // An unpaid order does not block a mint at the contract's price, unless the NFT exists only once.
  const isUnique = program === 'lazy' && row.nft !== 0
  return phase?.priced_by === 'CHAIN' && !isUnique ? undefined : row
}

/**
 * Signs a mint that an order has paid for, or returns its existing signature.
 */
export async function signSoldMint(
  trx: Tenant,
  { minters, orders }: Pick<Calling, 'minters' | 'orders'>,
  { program, sale, moment }: SigningRequest,
  sold: SoldMint,
): Promise<ReservationRow> {
  const unpaid = refusal(MINT_NOT_PAID, describeUnpaid(sold))
  if (sold.order_id === null) throw unpaid
  // The order is locked before what it has reserved, as everywhere.
  const order = await orders.lock(trx, sold.order_id)
  if (order?.status !== OrderStatus.SUCCESS) throw unpaid
  const row = await lockLive(trx, order)
  if (row === undefined) throw unpaid
  if (row.status === 'MINTED' || row.hash !== '') throw refusal(NFT_NOT_MINTABLE, 'It is minted already')
  if (row.status === 'RESERVED') {
    const { collection } = sale
    return await signReservation(trx, minters, { program, collection, moment }, row)
  }
  if (row.valid_until < moment.time) throw refusal(MINT_UNDECIDED)
  return row
}

const STATUS_NAMES = Object.fromEntries(Object.entries(OrderStatus).map(([name, status]) => [status, name]))

/** Describes what has to be paid before a mint is signed. */
function describeUnpaid({ order_no: orderNo, order_status: status }: SoldMint): string {
  if (status === null) return 'The drawn NFT is sold by an order: create one by preOrder, and pay it'
  return `The order ${orderNo} is ${STATUS_NAMES[status] ?? status}: its mint is signed once the order is SUCCESS`
}
