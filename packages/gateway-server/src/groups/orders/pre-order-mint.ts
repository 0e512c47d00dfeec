import { NotFoundError } from '@mintmark/envelope'
import type { ErrorsOf, InputOf } from '@mintmark/operation'
import {
  LISTING_NOT_OPEN,
  MINT_LIMIT_REACHED,
  NOT_WHITELISTED,
  type Order,
  OUT_OF_STOCK,
  type orders,
  TOO_MANY_OPEN_ORDERS,
} from '@mintmark/orders'
import { type Refuse, transaction } from '@mintmark/server-kit'
import { askChain } from '../../chain/ask-chain.ts'
import type { GatewayContext } from '../../context.ts'
import { isEvmAddress } from '../address-rules.ts'
import { payTokenColumns } from '../market/sale-input.ts'
import { PRODUCT_CARD } from '../market/sale-rules.ts'
import * as collections from '../minting/collections-store.ts'
import { findPhase } from '../minting/ordered-store.ts'
import * as reservations from '../minting/reservations-store.ts'
import { type NotReserved, reserve } from '../minting/reserve.ts'
import * as stock from '../minting/stock-store.ts'
import { readWanted } from '../minting/wanted.ts'
import { readWallet } from '../minting/whitelist-handlers.ts'
import { UNLISTED_TEXTS } from '../minting/whitelist-rules.ts'
import { addOrder } from './new-order.ts'
import { orderOf } from './order-records.ts'

type Input = InputOf<typeof orders.preOrder>
type Context = GatewayContext & Refuse<ErrorsOf<typeof orders.preOrder>>

const NO_PHASE = 'There is no phase with this id'
const NOT_SOLD_BY_ORDERS = 'Expected a phase that is priced by orders, and something that costs something'
const NOBODY_TO_PAY = 'Nobody can be paid: name the primarySaleRecipient of the collection, or an owner'

/** Orders what a phase of a presale sells: it is reserved now, paid next, and then signed by `mintSign`. */
export async function preOrderMint(input: Input, context: Context): Promise<Order> {
  const { db, project, chains, orderSettings: settings, refuse, invalid } = context
  const { marketType, quantity } = input
  const recipient = readWallet('recipient', input.recipient, context)
  const { phase, collection } = await findSale(input, context)
  const { contract, kept } = collection
  const { chain_id: chainId } = contract
  const program = marketType === PRODUCT_CARD ? 'product' : 'lazy'
  const wanted = await readWanted(context, program, collection, input)
  if (typeof wanted === 'string' && wanted !== 'own') return refuseMint(wanted, context)

  const nft = wanted === 'own' ? undefined : await stock.find(db, program, { project, nft: wanted.nft })
  const seller = (nft?.owner || kept?.primary_sale_recipient || contract.owner).toLowerCase()
  if (!isEvmAddress(seller)) refuse(LISTING_NOT_OPEN, NOBODY_TO_PAY)
  if (seller === recipient) invalid('recipient', 'Expected another wallet than the one that is paid')
  const token = (nft?.price == null ? phase : nft).pay_token_address
  const payToken = await payTokenColumns('listingId', chainId, token, context)
  const block = await askChain(context, 'newestBlock', () => chains.newestBlock(chainId))

  return await transaction(db, async (trx) => {
    const reserved = await reserve(trx, {
      ...{ project, program, contract, collection: kept, phase, wanted, quantity },
      purpose: { for: 'order', openOrders: settings.openOrders },
      brought: { wallet: recipient, proof: input.proof, limit: input.limit },
    })
    if (typeof reserved === 'string') return refuseMint(reserved, context)
    if (reserved.pay_token_address !== token)
      return refuse(LISTING_NOT_OPEN, 'What it is paid in has just changed')
    const sold = {
      project_id: project,
      chain_id: chainId,
      nft_address: contract.nft_address,
      nft_id: reserved.nft === 0 ? '' : String(reserved.nft),
      nft_type: contract.nft_type,
      nft_name: nft?.name || kept?.name || contract.name,
      nft_img: nft?.img_url || kept?.img_url || contract.img_url,
      ...payToken,
    }
    const amount = (BigInt(reserved.price) * BigInt(quantity)).toString()
    const order = await addOrder(
      trx,
      sold,
      {
        ...{ market_type: marketType, quantity, sender: seller, recipient, phase_id: reserved.phase_id },
        ...{ order_amount: amount, pay_amount: amount, placed_at_block: block },
      },
      settings.expirySeconds,
    )
    await reservations.change(trx, reserved, { order_id: order.id })
    return orderOf(order)
  })
}

/** The phase that is ordered of, with its collection. */
async function findSale(input: Input, { db, project, chains, refuse, invalid }: Context) {
  const found = await findPhase(db, project, input.listingId)
  if (found === undefined) return refuse(NotFoundError, NO_PHASE)
  const { phase, program } = found
  if ((program === 'product') !== (input.marketType === PRODUCT_CARD))
    invalid('marketType', 'Expected 8 for a phase of a product card, 9 for one of lazy minting')
  if ((input.couponCode ?? '') !== '') invalid('couponCode', 'A presale takes no coupon')
  if (phase.priced_by !== 'ORDER') invalid('listingId', NOT_SOLD_BY_ORDERS)
  const collection = await collections.find(db, project, program, found.nftAddress)
  // An address can have a contract on several chains, of which the first is known by it.
  if (collection?.kept?.id !== phase.collection_id) return refuse(NotFoundError, NO_PHASE)
  const { contract, kept } = collection
  if (!chains.serves(contract.chain_id))
    invalid('listingId', `Nothing can be paid on the contract's chain ${contract.chain_id}`)
  return { phase, collection: { contract, kept } }
}

function refuseMint(why: NotReserved, { refuse, invalid }: Context): never {
  switch (why) {
    case 'not_open':
      return refuse(LISTING_NOT_OPEN, 'The phase is not open')
    case 'limit_reached':
      return refuse(MINT_LIMIT_REACHED)
    case 'minted_out':
      return refuse(OUT_OF_STOCK)
    case 'not_mintable':
    case 'again':
      return refuse(OUT_OF_STOCK, 'The NFT is hidden, reserved or minted')
    case 'too_many_open':
      return refuse(TOO_MANY_OPEN_ORDERS)
    case 'unknown':
      return refuse(NotFoundError, 'The contract has no such NFT')
    case 'not_paid':
    case 'not_ordered':
      return invalid('listingId', NOT_SOLD_BY_ORDERS)
    default:
      return refuse(NOT_WHITELISTED, `${why}: ${UNLISTED_TEXTS[why]}`)
  }
}
