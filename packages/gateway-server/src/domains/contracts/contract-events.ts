import { type EventSource, eventSource } from '../../database/event-source.ts'
import { NOBODY } from '../../database/references.ts'
import { findOrderNo, toTransfer } from './assets/transfers-store.ts'
import { toContract } from './contracts/contracts-store.ts'
import { findOwners, toNft } from './nfts/nfts-store.ts'

/**
 * Whether a change created, updated or removed a row that is marked when it is removed. Undefined for a row
 * that was removed before.
 */
function getVerb(before: { deleted: boolean } | undefined, after: { deleted: boolean }) {
  if (before === undefined) return 'created'
  if (!after.deleted) return 'updated'
  return before.deleted ? undefined : 'removed'
}

/**
 * The events about contracts, their NFTs and transfers. All readers of the feed see them, so that they
 * contain no reference.
 */
export const contractEventSources: readonly EventSource[] = [
  eventSource('gateway.contracts', ({ before, after }) => {
    const verb = after && getVerb(before, after)
    if (after === undefined || verb === undefined) return []
    return [{ type: `contract.${verb}`, subject: `contract/${after.id}`, data: toContract(after, NOBODY) }]
  }),
  eventSource('gateway.nfts', async ({ before, after }, { tenant }) => {
    const verb = after && getVerb(before, after)
    if (after === undefined || verb === undefined) return []
    const data = toNft(after, await findOwners(tenant, [after.id]))
    return [{ type: `nft.${verb}`, subject: `nft/${after.id}`, data }]
  }),
  eventSource('gateway.transfers', ({ before, after }) => {
    if (before !== undefined || after === undefined) return []
    return [{ type: 'transfer.recorded', subject: `transfer/${after.id}`, data: toTransfer(after) }]
  }),
  eventSource('gateway.chain_transfers', async ({ before, after }, { tenant }) => {
    const row = after ?? before
    const view = {
      ...row,
      created_at: row.block_time,
      hash: row.tx_hash,
      order_no: await findOrderNo(tenant, row.id),
      project_id: tenant.project,
    }
    const type = after === undefined ? 'transfer.reverted' : 'transfer.recorded'
    return [{ type, subject: `transfer/${row.id}`, data: toTransfer(view) }]
  }),
]
