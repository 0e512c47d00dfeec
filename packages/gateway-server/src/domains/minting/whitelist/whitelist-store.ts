import { type FoundPage, findPage, type Orders, type PageQuery } from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Hex } from 'viem'
import type { Db } from '../../../context.ts'
import type { Tables } from '../../../tables.ts'
import { MAX_WHITELIST } from '../phases/phase-rules.ts'
import type { PhaseRow } from '../phases/phases-store.ts'
import { type MerkleTree, merkleTree } from './merkle.ts'
import type { WhitelistView } from './whitelist-rules.ts'

export type EntryRow = Selectable<Tables['gateway.mint_whitelist']>
export interface NewEntry {
  readonly address: string
  readonly limit: string
  readonly leaf: string
}

export const ENTRY_ORDERS: Orders = { id: 'id', createTime: 'id' }

/** Adds wallets, or changes their limits; false where the phase would have more than it can. The phase's row is locked by it. */
export async function add(
  trx: Db,
  project: number,
  phase: number,
  entries: readonly NewEntry[],
): Promise<boolean> {
  await revise(trx, project, phase)
  await sql`
    insert into gateway.mint_whitelist as w (project_id, phase_id, address, wallet_limit, leaf)
    select ${project}::bigint, ${phase}::bigint, e.address, e.wallet_limit, e.leaf
    from unnest(
      ${entries.map(({ address }) => address)}::text[],
      ${entries.map(({ limit }) => limit)}::numeric[],
      ${entries.map(({ leaf }) => leaf)}::text[]) as e (address, wallet_limit, leaf)
    on conflict on constraint mint_whitelist_wallet do update
      set wallet_limit = excluded.wallet_limit, leaf = excluded.leaf, updated_at = clock_timestamp()
      where w.leaf <> excluded.leaf`.execute(trx)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from gateway.mint_whitelist
    where project_id = ${project} and phase_id = ${phase}`.execute(trx)
  return (counted.rows[0]?.count ?? 0) <= MAX_WHITELIST
}

/** Removes a wallet; false where it is not there. */
export async function remove(trx: Db, project: number, phase: number, address: string): Promise<boolean> {
  await revise(trx, project, phase)
  const { numDeletedRows } = await trx
    .deleteFrom('gateway.mint_whitelist')
    .where('project_id', '=', project)
    .where('phase_id', '=', phase)
    .where('address', '=', address)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

// Whoever mints in the phase locks its row as well: a whitelist does not change under a mint.
async function revise(trx: Db, project: number, phase: number): Promise<void> {
  await trx
    .updateTable('gateway.mint_phases')
    .set({ whitelist_revision: sql`gen_random_uuid()` })
    .where('project_id', '=', project)
    .where('id', '=', phase)
    .execute()
}

export async function page(
  db: Db,
  project: number,
  phases: readonly number[],
  query: PageQuery,
): Promise<FoundPage<EntryRow>> {
  const entries = db
    .selectFrom('gateway.mint_whitelist')
    .selectAll()
    .where('project_id', '=', project)
    .where(sql<boolean>`phase_id = any(${phases}::bigint[])`)
  return await findPage(db, 'gateway.mint_whitelist', entries, query)
}

/** Trees that were made lately, by the whitelist's revision, of which there is one in the world. */
const trees = new Map<string, Promise<MerkleTree | undefined>>()
const TREES_KEPT = 20

async function readTree(db: Db, phase: PhaseRow): Promise<MerkleTree | undefined> {
  const rows = await db
    .selectFrom('gateway.mint_whitelist')
    .select('leaf')
    .where('project_id', '=', phase.project_id)
    .where('phase_id', '=', phase.id)
    .execute()
  // Written by `leafOf`.
  return rows.length === 0 ? undefined : await merkleTree(rows.map(({ leaf }) => leaf as Hex))
}

async function treeOf(db: Db, phase: PhaseRow): Promise<MerkleTree | undefined> {
  const key = phase.whitelist_revision
  const known = trees.get(key)
  if (known !== undefined) return await known
  const made = readTree(db, phase)
  const oldest = trees.size >= TREES_KEPT ? trees.keys().next().value : undefined
  if (oldest !== undefined) trees.delete(oldest)
  trees.set(key, made)
  made.catch(() => trees.delete(key))
  return await made
}

/** What the whitelist of a phase has of a wallet. */
export async function view(db: Db, phase: PhaseRow, wallet: string): Promise<WhitelistView> {
  const found = { mode: phase.whitelist_mode, phaseLimit: phase.limit_per_wallet, root: phase.merkle_root }
  if (found.mode === 'NONE') return { ...found, empty: true, entry: undefined }
  const [entry] = await db
    .selectFrom('gateway.mint_whitelist')
    .select(['wallet_limit', 'leaf'])
    .where('project_id', '=', phase.project_id)
    .where('phase_id', '=', phase.id)
    .where('address', '=', wallet)
    .execute()
  if (found.mode === 'LIST') {
    const empty = entry === undefined && (await isEmpty(db, phase))
    return { ...found, empty, entry: entry && { limit: entry.wallet_limit, proof: [] } }
  }
  const tree = await treeOf(db, phase)
  // Written by `leafOf`.
  const proof = entry && tree?.proofOf(entry.leaf as Hex)
  return {
    ...found,
    root: phase.merkle_root || (tree?.root ?? ''),
    empty: tree === undefined,
    entry: entry && proof && { limit: entry.wallet_limit, proof },
  }
}

async function isEmpty(db: Db, phase: PhaseRow): Promise<boolean> {
  const row = await db
    .selectFrom('gateway.mint_whitelist')
    .select('id')
    .where('project_id', '=', phase.project_id)
    .where('phase_id', '=', phase.id)
    .limit(1)
    .executeTakeFirst()
  return row === undefined
}
