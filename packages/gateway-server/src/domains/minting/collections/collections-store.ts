import { type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import * as contracts from '../../contracts/contracts/contracts-store.ts'

/** Lazy minting or product cards. Each has a presale of its own for a contract. */
export type Program = 'lazy' | 'product'
export type CollectionRow = Selectable<Tables['gateway.mint_collections']>

/** A registered contract with the program's collection, which exists once something was written. */
export interface Collection {
  readonly contract: contracts.ContractRow
  readonly stored: CollectionRow | undefined
}

export async function find(
  tenant: Tenant,
  program: Program,
  nftAddress: string,
): Promise<Collection | undefined> {
  const contract = await contracts.findRow(tenant, nftAddress.toLowerCase())
  if (contract === undefined) return undefined
  const stored = await tenant
    .selectFrom('gateway.mint_collections')
    .selectAll()
    .where('contract_id', '=', contract.id)
    .where('program', '=', program)
    .executeTakeFirst()
  return { contract, stored }
}

/** Creates or changes a program's collection, and locks it until the transaction ends. */
export async function write(
  trx: Tenant,
  contract: contracts.ContractRow,
  program: Program,
  change: Updateable<Tables['gateway.mint_collections']>,
): Promise<CollectionRow> {
  const key = { project_id: contract.project_id, contract_id: contract.id, program }
  return await trx
    .insertInto('gateway.mint_collections')
    .values({ ...withoutUndefined(change), ...key })
    .onConflict((conflict) =>
      conflict
        .constraint('mint_collections_one')
        .doUpdateSet({ ...withoutUndefined(change), updated_at: sql`clock_timestamp()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

// `undefined` would insert the default, and then overwrite the existing value.
function withoutUndefined<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Row
}
