import { type FoundRecord, projectSearch } from '@mintmark/admin'
import { OrderStatus } from '@mintmark/orders'
import { implementWithLimits } from '../../http/context.ts'
import { SEARCH } from '../../http/field-limits.ts'
import { type FoundCard, findCards } from '../cards/programs/card-search.ts'
import { PROGRAM_GROUPS } from '../cards/programs/program-groups.ts'
import { type FoundOrder, findOrders } from '../orders/order-search.ts'
import { type FoundProfile, searchProfiles } from '../wallet/profile-store.ts'

/** How many records of each kind a search returns. */
const MAX_FOUND = 10

export const searchRoutes = implementWithLimits({ text: SEARCH })(projectSearch, {
  async find({ text: given }, { tenant, caller }) {
    const text = given.trim()
    if (text === '') return []
    // People read all of their project; a key reads the references that its wallet has set.
    const referenceOwner = caller.person === undefined ? caller.wallet : undefined
    const profiles = await searchProfiles(tenant, text, MAX_FOUND)
    // A wallet without a profile buys and holds too.
    const buyers = [{ address: text.toLowerCase(), found_by: 'WALLET' as const }, ...profiles]
    const holders = [...new Set(buyers.map(({ address }) => address))]
    const orders = await findOrders(tenant, { text, buyers, referenceOwner }, MAX_FOUND)
    const cards = caller.holdsScope('cards:read')
      ? await findCards(tenant, { text, holders, referenceOwner }, MAX_FOUND)
      : []
    const wallets = caller.holdsScope('wallet:read') ? profiles : []
    return [...orders.map(toFoundOrder), ...cards.map(toFoundCard), ...wallets.map(toFoundWallet)]
  },
})

function toFoundOrder(row: FoundOrder): FoundRecord {
  const isExpired = row.status === OrderStatus.PRE && row.expired
  return {
    kind: 'ORDER',
    id: row.order_no,
    name: row.name || row.nft_name,
    wallet: row.recipient,
    orderStatus: isExpired ? OrderStatus.EXPIRED : row.status,
    foundBy: row.found_by,
    createTime: row.created_at.toISOString(),
  }
}

function toFoundCard(row: FoundCard): FoundRecord {
  return {
    kind: 'CARD',
    id: String(row.id),
    program: PROGRAM_GROUPS[row.program],
    name: row.name,
    wallet: row.creator,
    foundBy: row.found_by,
    createTime: row.created_at.toISOString(),
  }
}

function toFoundWallet(row: FoundProfile): FoundRecord {
  return {
    kind: 'WALLET',
    id: row.address,
    name: row.name,
    wallet: row.address,
    foundBy: row.found_by,
    createTime: row.created_at.toISOString(),
  }
}
