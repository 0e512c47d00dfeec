import { type Contract, contracts } from '@mintmark/contracts'
import type { InputOf } from '@mintmark/operation'
import {
  compileRead,
  findPage,
  type PageQuery,
  type PageRows,
  parseTimeRange,
  type SortColumns,
} from '@mintmark/server-kit'
import { type Selectable, sql, type Updateable } from 'kysely'
import {
  hasReference,
  NOBODY,
  type Reader,
  type References,
  toReference,
} from '../../../database/references.ts'
import { type KeywordIndex, searchKeyword } from '../../../database/searches.ts'
import type { Db, Tables } from '../../../database/tables.ts'
import type { NewRow, Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'

export type ContractRow = Selectable<Tables['gateway.contracts']>

export const CONTRACT_ORDERS = {
  id: 'created_at',
  createTime: 'created_at',
  name: 'name',
} as const satisfies SortColumns

export function toContract(row: Omit<ContractRow, 'extension'>, reader: Reader): Contract {
  return toRecord(contracts.Contract, row, { reference: toReference(row, reader) })
}

const byAddress = compileRead((db: Db, { project, nftAddress }: { project: number; nftAddress: string }) =>
  db
    .selectFrom('gateway.contracts')
    .selectAll()
    .where('project_id', '=', project)
    .where('nft_address', '=', nftAddress)
    .where('deleted', '=', sql.lit(false))
    .orderBy('id')
    .limit(1),
)

/** Finds the contract of an address. If several chains have one, it is the one that was registered first. */
export async function findRow(tenant: Tenant, nftAddress: string): Promise<ContractRow | undefined> {
  const [row] = await byAddress(tenant.db, { project: tenant.project, nftAddress })
  return row
}

const byAddresses = compileRead(
  (db: Db, { project, addresses }: { project: number; addresses: readonly string[] }) =>
    db
      .selectFrom('gateway.contracts')
      .select(['nft_address', 'owner', 'chain_id', 'nft_type'])
      .where('project_id', '=', project)
      .where('nft_address', '=', sql<string>`any(${addresses}::text[])`)
      .where('deleted', '=', sql.lit(false))
      // Of several contracts with one address, the first that was registered is set last, and replaces the
      // others.
      .orderBy('id', 'desc'),
)

/** Finds what cards take from the contracts of their addresses, each as `findRow` does. */
export async function findByAddresses(
  tenant: Tenant,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, Pick<ContractRow, 'owner' | 'chain_id' | 'nft_type'>>> {
  const rows = await byAddresses(tenant.db, { project: tenant.project, addresses })
  return new Map(rows.map((row) => [row.nft_address, row]))
}

/** Finds the contract of an address as `findRow` does, without its reference. */
export async function find(tenant: Tenant, nftAddress: string): Promise<Contract | undefined> {
  const row = await findRow(tenant, nftAddress)
  return row && toContract(row, NOBODY)
}

/** Adds a contract. Returns undefined if its address is registered on its chain. */
export async function add(
  tenant: Tenant,
  contract: NewRow<'gateway.contracts'>,
): Promise<ContractRow | undefined> {
  return await tenant
    .insertInto('gateway.contracts')
    .values(contract)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'nft_address', 'chain_id'])
        .where('deleted', '=', sql.lit(false))
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/**
 * Counts the indexed contracts of the project. Until the transaction ends, another call that counts them
 * waits.
 */
export async function countIndexed(trx: Tenant): Promise<number> {
  const lock = `gateway.contracts/indexed/${trx.project}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
  const row = await trx
    .selectFrom('gateway.contracts')
    .select(sql<number>`count(*)::float8`.as('count'))
    .where('indexed', '=', sql.lit(true))
    .where('deleted', '=', sql.lit(false))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Changes the contract of an address. Returns undefined if none is registered. */
export async function update(
  tenant: Tenant,
  nftAddress: string,
  change: Updateable<Tables['gateway.contracts']>,
): Promise<ContractRow | undefined> {
  const contractId = tenant
    .selectFrom('gateway.contracts')
    .select('id')
    .where('nft_address', '=', nftAddress)
    .where('deleted', '=', sql.lit(false))
    .orderBy('id')
    .limit(1)
  return await tenant
    .updateTable('gateway.contracts')
    .set({ ...change, updated_at: sql`clock_timestamp()` })
    .where('id', '=', contractId)
    .where('deleted', '=', sql.lit(false))
    .returningAll()
    .executeTakeFirst()
}

/** A contract as far as the tokens that it mints are concerned. */
export type KeptContract = Pick<ContractRow, 'chain_id' | 'nft_address' | 'nft_type' | 'indexed'>

/**
 * Prevents the removal of a contract until the transaction ends. Returns undefined if it is already removed.
 */
export async function keep(trx: Tenant, id: number): Promise<KeptContract | undefined> {
  return await trx
    .selectFrom('gateway.contracts')
    .select(['chain_id', 'nft_address', 'nft_type', 'indexed'])
    .where('id', '=', id)
    .where('deleted', '=', sql.lit(false))
    .forKeyShare()
    .executeTakeFirst()
}

/**
 * Locks a contract until the transaction ends, so that nothing is added to it. Returns false if it does not
 * exist.
 */
export async function lock(trx: Tenant, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('gateway.contracts')
    .select('id')
    .where('id', '=', id)
    .where('deleted', '=', sql.lit(false))
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Removes a contract, which must be locked. Returns undefined while it has NFTs (lazy ones that are not
 * minted included) or an open mint. Its assets are removed by `Ownership.clear`.
 */
export async function remove(
  trx: Tenant,
  id: number,
): Promise<{ chainId: string; nftAddress: string } | undefined> {
  const { rows } = await sql<{ chainId: string; nftAddress: string }>`
    update gateway.contracts c set deleted = true, updated_at = clock_timestamp()
    where c.project_id = ${trx.project} and c.id = ${id}
      and not exists (
        select from gateway.nfts n where n.project_id = c.project_id and n.nft_address = c.nft_address and n.contract_id = c.id and not n.deleted)
      and not exists (
        select from gateway.mintable_nfts z
        where z.project_id = c.project_id and z.program = 'lazy' and z.contract_id = c.id and not z.deleted and z.status <> 'MINTED')
      and not exists (
        select from gateway.mint_reservations r
        join gateway.mint_collections m on m.project_id = r.project_id and m.id = r.collection_id
        where m.project_id = c.project_id and m.contract_id = c.id and r.status in ('RESERVED', 'SIGNED'))
    returning c.chain_id as "chainId", c.nft_address as "nftAddress"`.execute(trx)
  return rows[0]
}

/**
 * Marks the assets of at most `limit` newly registered contracts of a chain as written, and returns these
 * contracts: the first one of each project, then the second one of each, and so on.
 */
export async function markAssetsWritten(
  trx: Db,
  chainId: string,
  limit: number,
): Promise<readonly { project: number; id: number }[]> {
  const { rows } = await sql<{ project: number; id: number }>`
    update gateway.contracts c set assets_written = true
    from (
      select project_id, id from gateway.contracts
      where chain_id = ${chainId} and indexed and not deleted and not assets_written
      order by row_number() over (partition by project_id order by id), project_id
      limit ${limit}
    ) w
    where c.project_id = w.project_id and c.id = w.id and not c.deleted and not c.assets_written
    returning c.project_id as project, c.id`.execute(trx)
  return rows
}

const KEYWORD_COLUMNS: KeywordIndex<'gateway.contracts'> = {
  table: 'gateway.contracts',
  columns: ['name', 'symbol', 'nft_address'],
}

export interface ContractFilter extends Omit<InputOf<typeof contracts.list>, 'reference'> {
  /** The caller's own reference. Empty for every contract. */
  readonly references: Partial<References>
}

/** Lists contracts. A filter that is `''` is ignored. */
export async function list(
  tenant: Tenant,
  { owner, nftType, keyword, references, ...input }: ContractFilter,
  query: PageQuery,
): Promise<PageRows<ContractRow>> {
  const table = 'gateway.contracts'
  let rows = tenant
    .selectFrom(table)
    .selectAll()
    .where('deleted', '=', sql.lit(false))
    .where(hasReference(references))
  // A project has few contracts: the filters are compared.
  const filters = { ...references, ...(owner && { owner }), ...(nftType && { nft_type: nftType }) }
  for (const [column, value] of Object.entries(filters))
    rows = rows.where(sql<boolean>`${sql.ref(column)} = ${value}`)
  const created = parseTimeRange(input)
  const searches = searchKeyword(KEYWORD_COLUMNS, keyword)
  return await findPage(tenant.db, table, rows, query, { created, searches })
}
