import { WhitelistEntry } from '@mintmark/minting'
import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Tables } from '../../../database/tables.ts'
import type { Tenant } from '../../../database/tenant.ts'
import { toRecord } from '../../../http/record-mapping.ts'
import { MAX_WHITELIST } from '../phases/phase-rules.ts'
import { type PhaseRow, reviseWhitelist } from '../phases/phases-store.ts'
import { type MerkleTree, merkleTree } from './merkle.ts'
import type { WhitelistView } from './whitelist-rules.ts'

export type EntryRow = Selectable<Tables['gateway.mint_whitelist']>
/** Wallets with their limits, and the leaf of each. */
export interface NewEntries {
  readonly wallets: readonly { readonly wallet: string; readonly limit: string }[]
  readonly leaves: readonly string[]
}

export function toWhitelistEntry(row: EntryRow, phase: string): WhitelistEntry {
  return toRecord(WhitelistEntry, row, { limit: row.wallet_limit, phase })
}

export const ENTRY_ORDERS = { id: 'created_at', createTime: 'created_at' } as const satisfies SortColumns

/**
 * Adds wallets, or changes their limits. Locks the phase. Returns false if the phase has more than
 * `MAX_WHITELIST` wallets then.
 */
export async function add(trx: Tenant, phase: number, { wallets, leaves }: NewEntries): Promise<boolean> {
  await reviseWhitelist(trx, phase)
  await sql`
    insert into gateway.mint_whitelist as w (project_id, phase_id, address, wallet_limit, leaf)
    select ${trx.project}::bigint, ${phase}::bigint, e.address, e.wallet_limit, e.leaf
    from unnest(
      ${wallets.map(({ wallet }) => wallet)}::text[],
      ${wallets.map(({ limit }) => limit)}::numeric[],
      ${leaves}::text[]) as e (address, wallet_limit, leaf)
    on conflict on constraint mint_whitelist_pkey do update
      set wallet_limit = excluded.wallet_limit, leaf = excluded.leaf, updated_at = clock_timestamp()
      where w.leaf <> excluded.leaf`.execute(trx)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from gateway.mint_whitelist
    where project_id = ${trx.project} and phase_id = ${phase}`.execute(trx)
  return (counted.rows[0]?.count ?? 0) <= MAX_WHITELIST
}

/** Removes a wallet. Returns false if it is not on the whitelist. */
export async function remove(trx: Tenant, phase: number, address: string): Promise<boolean> {
  await reviseWhitelist(trx, phase)
  const { numDeletedRows } = await trx
    .deleteFrom('gateway.mint_whitelist')
    .where('phase_id', '=', phase)
    .where('address', '=', address)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function page(
  tenant: Tenant,
  { phases, ...range }: { phases: readonly number[] } & TimeRange,
  query: PageQuery,
): Promise<PageRows<EntryRow>> {
  const entries = tenant.selectFrom('gateway.mint_whitelist').selectAll()
  const [phase] = phases
  const isOne = phases.length === 1
  const ofPhases = isOne ? entries : entries.where(sql<boolean>`phase_id = any(${phases}::bigint[])`)
  return await findPage(tenant.db, 'gateway.mint_whitelist', ofPhases, query, {
    index: isOne ? { columns: { phase_id: phase } } : {},
    created: range,
    readsByKey: false,
  })
}

/** Cached trees, by the revision of the whitelist, which is globally unique. */
const trees = new Map<string, Promise<MerkleTree | undefined>>()
const MAX_CACHED_TREES = 20

async function readTree(tenant: Tenant, phase: PhaseRow): Promise<MerkleTree | undefined> {
  const rows = await tenant
    .selectFrom('gateway.mint_whitelist')
    .select('leaf')
    .where('phase_id', '=', phase.id)
    .execute()
  // Written by `leafOf`.
  return rows.length === 0 ? undefined : await merkleTree(rows.map(({ leaf }) => leaf as Hex))
}

async function treeOf(tenant: Tenant, phase: PhaseRow): Promise<MerkleTree | undefined> {
  const key = phase.whitelist_revision
  const cached = trees.get(key)
  if (cached !== undefined) return await cached
  const tree = readTree(tenant, phase)
  const oldest = trees.size >= MAX_CACHED_TREES ? trees.keys().next().value : undefined
  if (oldest !== undefined) trees.delete(oldest)
  trees.set(key, tree)
  tree.catch(() => trees.delete(key))
  return await tree
}

/** Reads what the whitelist of a phase contains for a wallet. */
export async function view(tenant: Tenant, phase: PhaseRow, wallet: string): Promise<WhitelistView> {
  const rules = { mode: phase.whitelist_mode, phaseLimit: phase.limit_per_wallet, root: phase.merkle_root }
  if (rules.mode === 'NONE') return { ...rules, empty: true, entry: undefined }
  const [entry] = await tenant
    .selectFrom('gateway.mint_whitelist')
    .select(['wallet_limit', 'leaf'])
    .where('phase_id', '=', phase.id)
    .where('address', '=', wallet)
    .execute()
  if (rules.mode === 'LIST') {
    const empty = entry === undefined && (await isEmpty(tenant, phase))
    return { ...rules, empty, entry: entry && { limit: entry.wallet_limit, proof: [] } }
  }
  const tree = await treeOf(tenant, phase)
  // Written by `leafOf`.
  const proof = entry && tree?.proofOf(entry.leaf as Hex)
  return {
    ...rules,
    root: phase.merkle_root || (tree?.root ?? ''),
    empty: tree === undefined,
    entry: entry && proof && { limit: entry.wallet_limit, proof },
  }
}

async function isEmpty(tenant: Tenant, phase: PhaseRow): Promise<boolean> {
  const row = await tenant
    .selectFrom('gateway.mint_whitelist')
    .select('id')
    .where('phase_id', '=', phase.id)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}
