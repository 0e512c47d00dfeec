import { sql } from 'kysely'
import { type EventSource, eventSource, isPassing } from '../../database/event-source.ts'
import type { Tenant } from '../../database/tenant.ts'
import * as lazyNfts from './nfts/lazy-nfts-store.ts'
import { toProductNft } from './nfts/product-nfts-store.ts'
import { toMint } from './reservations/mint-records.ts'
import type { ReservationRow } from './reservations/reservations-store.ts'

const MINT_EVENTS = {
  SIGNED: 'mint.signed',
  MINTED: 'mint.minted',
  RELEASED: 'mint.released',
} as const

interface MintDetails {
  readonly nft_address: string
  readonly phase: string
  readonly order_no: string
}

/** Finds what the record of a mint has from other tables. */
async function findDetails(tenant: Tenant, mint: ReservationRow): Promise<MintDetails> {
  const { rows } = await sql<MintDetails>`
    select k.nft_address, p.name as phase, coalesce(o.order_no, '') as order_no
    from gateway.mint_collections c
    join gateway.contracts k on k.project_id = c.project_id and k.id = c.contract_id
    join gateway.mint_phases p on p.project_id = c.project_id and p.id = ${mint.phase_id}
    left join gateway.orders o on o.project_id = c.project_id and o.id = ${mint.order_id}
    where c.project_id = ${tenant.project} and c.id = ${mint.collection_id}`.execute(tenant)
  const [details] = rows
  if (details === undefined) throw new Error(`The mint ${mint.id} has no collection or no phase`)
  return details
}

/** The events about NFTs of product cards and NFTs that are minted on demand, and about their mints. */
export const mintEventSources: readonly EventSource[] = [
  eventSource('gateway.mintable_nfts', async ({ before, after }, { tenant }) => {
    if (after === undefined || (after.deleted && before?.deleted)) return []
    const verb = before === undefined ? 'created' : after.deleted ? 'removed' : 'updated'
    if (after.program === 'product') {
      const data = toProductNft(after)
      return [{ type: `product_nft.${verb}`, subject: `product_nft/${after.id}`, data }]
    }
    const collection = await lazyNfts.findCollection(tenant, after.contract_id)
    const isReservationOver = after.status === 'RESERVED' && isPassing(before, after, after.reserved_until)
    const presentStatus = isReservationOver ? 'DISPLAY' : after.status
    const royalty = collection?.royalty_percentage ?? '0'
    const view = { ...after, present_status: presentStatus, collection_royalty: royalty }
    const data = lazyNfts.toLazyNft(view)
    return [{ type: `lazy_nft.${verb}`, subject: `lazy_nft/${after.id}`, data }]
  }),
  eventSource('gateway.mint_reservations', async ({ before, after }, { tenant }) => {
    if (after === undefined || after.status === 'RESERVED' || after.status === before?.status) return []
    // A reservation that was never signed is no mint for those who use the API.
    if (after.uid === '') return []
    const { order_no, phase, nft_address } = await findDetails(tenant, after)
    const data = toMint({ ...after, order_no }, { nft_address }, phase)
    return [{ type: MINT_EVENTS[after.status], subject: `mint/${after.id}`, data }]
  }),
]
