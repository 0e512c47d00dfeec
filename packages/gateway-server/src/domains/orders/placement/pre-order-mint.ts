import { NotFoundError } from '@mintmark/envelope'
import { LISTING_NOT_OPEN, type Order, type PreOrderInput } from '@mintmark/orders'
import { refusal } from '@mintmark/server-kit'
import { checkServed, readNewestBlock } from '../../../chain/read-chain.ts'
import { toReferenceColumns } from '../../../database/references.ts'
import { isEvmAddress } from '../../../http/address-rules.ts'
import { ensureFound } from '../../../http/ensure-found.ts'
import { LAZY_MINTING, MAX_TRANSFER, PRODUCT_CARD } from '../../market/listing-rules.ts'
import { payTokenColumns } from '../../market/listings/listing-input.ts'
import * as collections from '../../minting/collections/collections-store.ts'
import * as mintable from '../../minting/nfts/mintable-store.ts'
import { readTarget } from '../../minting/reservations/mint-target.ts'
import { findPhase, type SoldPhase } from '../../minting/reservations/ordered-mints-store.ts'
import * as reservations from '../../minting/reservations/reservations-store.ts'
import { type MintTarget, NOT_SOLD_BY_ORDERS, reserve } from '../../minting/reservations/reserve.ts'
import { readWallet } from '../../minting/whitelist/whitelist-handlers.ts'
import { orderOf } from '../order-records.ts'
import { insertOrder } from './insert-order.ts'
import type { PlaceOrder, PreOrderContext } from './pre-order-listing.ts'

const NO_PHASE = 'There is no phase with this id'
const NO_PAYEE =
  'No wallet can be paid for this sale: set the primarySaleRecipient of the collection, or an owner'

const MARKET_TYPES: Readonly<Record<collections.Program, number>> = {
  product: PRODUCT_CARD,
  lazy: LAZY_MINTING,
}

/** A phase that sells by orders, with its collection. */
interface MintSale {
  readonly phase: SoldPhase['phase']
  readonly program: collections.Program
  readonly contract: collections.Collection['contract']
  readonly stored: collections.CollectionRow
}

/** The input of an order of a phase. */
type PhaseInput = Extract<PreOrderInput, { phaseId: number }>

/**
 * Prepares an order of a mint of a presale phase. It is reserved when the order is placed, paid next, and
 * then signed by `mintSign`.
 */
export async function prepareMintOrder(input: PhaseInput, context: PreOrderContext): Promise<PlaceOrder> {
  const mint = await prepareMint(input, context)
  return (placing) => placeMint(input, mint, placing)
}

async function prepareMint(input: PhaseInput, context: PreOrderContext) {
  const recipient = readWallet('recipient', input.recipient, context)
  const sale = await findSale(input, context)
  const { phase, program, contract, stored } = sale
  const target = await readTarget(context, program, sale, input)
  const { seller, item } = await readTerms(sale, target, recipient, context)
  const block = await readNewestBlock(context, 'phaseId', contract.chain_id)
  const claim = { wallet: recipient, proof: input.proof, limit: input.limit }
  const mint = { program, contract, collection: stored, phase, target, quantity: input.quantity, claim }
  return { mint, seller, item, block }
}

async function placeMint(
  input: PhaseInput,
  { mint, seller, item, block }: Awaited<ReturnType<typeof prepareMint>>,
  context: PreOrderContext,
): Promise<Order> {
  const { tenant, orders, orderSettings: settings, invalid } = context
  const { quantity } = input
  const request = {
    ...mint,
    purpose: { for: 'order', openOrders: settings.openOrders },
  } as const
  return await tenant.transaction(async (trx) => {
    const reservation = await reserve(trx, orders, request)
    if (reservation.pay_token_address !== item.pay_token_address)
      throw refusal(LISTING_NOT_OPEN, {}, 'The pay token of the sale has just changed')
    const total = BigInt(reservation.price) * BigInt(quantity)
    if (total > MAX_TRANSFER) return invalid('quantity', 'Expected a quantity that a transfer can pay for')
    const amount = total.toString()
    const terms = {
      market_type: MARKET_TYPES[mint.program],
      quantity,
      sender: seller,
      recipient: mint.claim.wallet,
      order_amount: amount,
      pay_amount: amount,
      phase_id: reservation.phase_id,
      placed_at_block: block,
      partial_payments: input.partialPayments ?? false,
      ...toReferenceColumns(input.reference, context.caller.wallet),
    }
    const sold = { ...item, nft_id: reservation.nft === 0 ? '' : String(reservation.nft) }
    const order = await insertOrder(trx, sold, terms, settings.expirySeconds)
    await reservations.change(trx, reservation, { order_id: order.id })
    return orderOf(order, context)
  })
}

/** Finds the phase that is ordered from. */
async function findSale(input: PhaseInput, context: PreOrderContext): Promise<MintSale> {
  const { tenant, invalid } = context
  const row = ensureFound(await findPhase(tenant, input.phaseId), NO_PHASE)
  const { phase, program } = row
  const marketType = MARKET_TYPES[program]
  if (input.marketType !== undefined && input.marketType !== marketType)
    invalid('marketType', `Expected the phase's own: ${marketType}`)
  if ((input.couponCode ?? '') !== '') invalid('couponCode', 'A presale takes no coupon')
  if (phase.priced_by !== 'ORDER') invalid('phaseId', NOT_SOLD_BY_ORDERS)
  const collection = await collections.find(tenant, program, row.nftAddress)
  // If several chains have a contract at this address, the collection is the one of the first contract.
  if (collection?.stored?.id !== phase.collection_id) throw refusal(NotFoundError, NO_PHASE)
  const { contract, stored } = collection
  checkServed(context, 'phaseId', contract.chain_id)
  return { phase, program, contract, stored }
}

/** Determines the seller, and what the order shows of the mint and of its pay token. */
async function readTerms(
  { phase, program, contract, stored }: MintSale,
  target: Exclude<MintTarget, 'random'>,
  recipient: string,
  context: PreOrderContext,
) {
  const { tenant, invalid } = context
  const nft = target === 'own' ? undefined : await mintable.find(tenant, program, target.nft)
  const seller = (nft?.owner || stored.primary_sale_recipient || contract.owner).toLowerCase()
  if (!isEvmAddress(seller)) throw refusal(LISTING_NOT_OPEN, {}, NO_PAYEE)
  if (seller === recipient) invalid('recipient', 'Expected another wallet than the one that is paid')
  const token = (nft?.price == null ? phase : nft).pay_token_address
  const payToken = await payTokenColumns('phaseId', contract.chain_id, token, context)
  const item = {
    project_id: tenant.project,
    chain_id: contract.chain_id,
    nft_address: contract.nft_address,
    nft_type: contract.nft_type,
    nft_name: nft?.name || stored.name || contract.name,
    nft_img: nft?.img_url || stored.img_url || contract.img_url,
    ...payToken,
  }
  return { seller, item }
}
