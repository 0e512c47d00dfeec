import type { CollectionPhase } from '@mintmark/contracts'
import { sql } from 'kysely'
import { type EventSource, eventSource, isPassing, type RowChange } from '../../database/event-source.ts'
import type { Tenant } from '../../database/tenant.ts'
import { findMinter } from '../../keys/minters.ts'
import { toPreviews } from './collections/collection-handlers.ts'
import type { CollectionRow } from './collections/collections-store.ts'
import { toLazyCollection } from './lazy-minting/lazy-minting.ts'
import type { PhaseRow } from './phases/phases-store.ts'
import { toPhase } from './phases/presale-handlers.ts'
import { toWhitelistEntry } from './whitelist/whitelist-store.ts'

const PROGRAMS = { lazy: 'lazyMinting', product: 'productCards' } as const

/** A phase and the collection that it belongs to. */
interface PhaseKey {
  readonly name: string
  readonly nftAddress: string
  readonly program: keyof typeof PROGRAMS
}

/** Finds the name of a phase, and the contract and the program of its collection. */
async function findPhaseKey(tenant: Tenant, phase: number): Promise<PhaseKey> {
  const { rows } = await sql<PhaseKey>`
    select p.name, k.nft_address as "nftAddress", c.program
    from gateway.mint_phases p
    join gateway.mint_collections c on c.project_id = p.project_id and c.id = p.collection_id
    join gateway.contracts k on k.project_id = c.project_id and k.id = c.contract_id
    where p.project_id = ${tenant.project} and p.id = ${phase}`.execute(tenant)
  const [key] = rows
  if (key === undefined) throw new Error(`The phase ${phase} does not exist`)
  return key
}

type PhaseEvent = 'created' | 'updated' | 'removed' | 'started' | 'ended'

/** Chooses the event of a phase. A removed phase can be added again. */
function choosePhaseEvent({ before, after }: RowChange<PhaseRow>): PhaseEvent | undefined {
  if (after === undefined) return undefined
  if (after.deleted) return before === undefined || before.deleted ? undefined : 'removed'
  if (before === undefined || before.deleted) return 'created'
  if (isPassing(before, after, after.start_time)) return 'started'
  if (isPassing(before, after, after.end_time)) return 'ended'
  return 'updated'
}

/**
 * The columns of a collection that records contain, with their defaults. The first write of anything else
 * inserts the defaults.
 */
const COLLECTION_DEFAULTS: Partial<CollectionRow> = {
  banner_url: '',
  description: '',
  extension: {},
  img_url: '',
  name: '',
  previews: [],
  primary_sale_recipient: '',
  royalty_percentage: '0',
  royalty_recipient: '',
  token_uri: '',
}

/** Whether a new collection contains more than defaults. */
function hasContent(row: CollectionRow): boolean {
  const columns = Object.entries(COLLECTION_DEFAULTS) as [keyof CollectionRow, unknown][]
  return columns.some(([column, value]) => JSON.stringify(row[column]) !== JSON.stringify(value))
}

/** The events about collections, the phases of their presales and their whitelists. */
export const presaleEventSources: readonly EventSource[] = [
  eventSource('gateway.mint_collections', async ({ before, after }, { tenant }) => {
    if (after === undefined || (before === undefined && !hasContent(after))) return []
    const contract = await tenant
      .selectFrom('gateway.contracts')
      .selectAll()
      .where('id', '=', after.contract_id)
      .executeTakeFirstOrThrow()
    const stored = { contract, stored: after }
    const previews = toPreviews(stored)
    if (after.program === 'product') {
      return [
        { type: 'product_collection.updated', subject: `product_collection/${after.id}`, data: previews },
      ]
    }
    const collection = toLazyCollection(stored, await findMinter(tenant))
    const extension = { extension: after.extension, nftAddress: contract.nft_address }
    const data = { collection, extension, previews }
    return [{ type: 'lazy_collection.updated', subject: `lazy_collection/${after.id}`, data }]
  }),
  eventSource('gateway.mint_phases', async (change, { tenant }) => {
    const event = choosePhaseEvent(change)
    if (event === undefined || change.after === undefined) return []
    const { nftAddress, program } = await findPhaseKey(tenant, change.after.id)
    const data: CollectionPhase = { nftAddress, phase: toPhase(change.after), program: PROGRAMS[program] }
    return [{ type: `phase.${event}`, subject: `phase/${change.after.id}`, data }]
  }),
  eventSource('gateway.mint_whitelist', async ({ before, after }, { tenant }) => {
    const row = after ?? before
    const { name, nftAddress, program } = await findPhaseKey(tenant, row.phase_id)
    const verb = after === undefined ? 'removed' : before === undefined ? 'created' : 'updated'
    const data = { entry: toWhitelistEntry(row, name), nftAddress, program: PROGRAMS[program] }
    return [{ type: `whitelist_entry.${verb}`, subject: `whitelist_entry/${row.id}`, data }]
  }),
]
