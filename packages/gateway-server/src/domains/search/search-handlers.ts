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

/** Returns what the found records of each kind have. */
function toFound(row: { found_by: FoundRecord['foundBy']; name: string; created_at: Date }) {
  return { foundBy: row.found_by, name: row.name, createTime: row.created_at.toISOString() }
}

function toFoundOrder(row: FoundOrder): FoundRecord {
  const isExpired = row.status === OrderStatus.PRE && row.expired
  return {
    ...toFound({ ...row, name: row.name || row.nft_name }),
    kind: 'ORDER',
    id: row.order_no,
    wallet: row.recipient,
    orderStatus: isExpired ? OrderStatus.EXPIRED : row.status,
  }
}

function toFoundCard(row: FoundCard): FoundRecord {
  const program = PROGRAM_GROUPS[row.program]
  return { ...toFound(row), kind: 'CARD', id: String(row.id), program, wallet: row.creator }
}

function toFoundWallet(row: FoundProfile): FoundRecord {
  return { ...toFound(row), kind: 'WALLET', id: row.address, wallet: row.address }
}
