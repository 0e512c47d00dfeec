import { createHash } from 'node:crypto'
import type { Tenant } from '../../../database/tenant.ts'
import { add, type ContractRow, findRow } from './contracts-store.ts'

/**
 * Returns the address of a project's default collection. Nobody can deploy a contract there, because it is the
 * beginning of a hash.
 */
function toDefaultAddress(project: number): string {
  const hash = createHash('sha256').update(`mintmark/default-collection/${project}`).digest('hex')
  return `0x${hash.slice(0, 40)}`
}

/**
 * Returns the collection of cards for which no contract is named. It is on no chain, and is created when it
 * is missing.
 */
export async function ensureDefaultCollection(tenant: Tenant): Promise<ContractRow> {
  const nftAddress = toDefaultAddress(tenant.project)
  const existing = await findRow(tenant, nftAddress)
  if (existing) return existing
  const contract = { nft_address: nftAddress, chain_id: '', name: 'Cards', nft_type: 'ERC1155' }
  const row = (await add(tenant, contract)) ?? (await findRow(tenant, nftAddress))
  if (row === undefined) throw new Error(`Project ${tenant.project} has no default collection`)
  return row
}
