import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import type { ResourceListing } from '../payment/listing.ts'
import { readSearchWords } from './catalog-words.ts'

/** The most matches that one request counts, and the largest offset. Cursors lead beyond it. */
export const MAX_MATCHES = 2_000
/** The most bytes of the documents of a page. An entry that has more by itself is a page. */
export const MAX_PAGE_BYTES = 262_144
/** The words of a query that are searched for. */
const MAX_QUERY_WORDS = 8

export interface CatalogFilter {
  /** Every word must occur, in any form. */
  readonly query?: string | undefined
  readonly type?: string | undefined
  readonly payTo?: string | undefined
  readonly scheme?: string | undefined
  readonly network?: string | undefined
  readonly asset?: string | undefined
  /** Base units of the asset. */
  readonly minAmount?: bigint | undefined
  readonly maxAmount?: bigint | undefined
}

export interface CatalogPage {
  readonly limit: number
  readonly offset: number
  /** The id of the last entry of the previous page. */
  readonly before?: number | undefined
}

/** An entry of the catalog. */
export interface CatalogEntry {
  readonly id: number
  readonly listing: ResourceListing
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  readonly amount: string
  readonly changedAt: Date
  readonly settleCount: number
  readonly firstSettledAt: Date
  readonly lastSettledAt: Date
}

export interface CatalogResult {
  readonly entries: readonly CatalogEntry[]
  /** The matches of the page and of those after it, at most `MAX_MATCHES`. */
  readonly total: number
  /** The id after which the list continues. Undefined at its end. */
  readonly next: number | undefined
  /** The most entries of the page: fewer than requested if they are large. The next offset follows from it. */
  readonly limit: number
}

/** Creates the result of a search that matches nothing. */
export const createEmptyResult = ({ limit }: CatalogPage): CatalogResult => ({
  entries: [],
  total: 0,
  next: undefined,
  limit,
})

/** Searches the catalog, newest entries first. */
export async function searchCatalog(
  db: Kysely<Tables>,
  filter: CatalogFilter,
  page: CatalogPage,
): Promise<CatalogResult> {
  const words = filter.query === undefined ? [] : await readSearchWords(db, filter.query, MAX_QUERY_WORDS)
  // A text without a word matches nothing.
  if (filter.query !== undefined && words.length === 0) return createEmptyResult(page)
  const { ids, total } = await readMatches(db, filter, [...words, ...listFacets(filter)], page)
  const requested = ids.slice(0, page.limit)
  const entries = await readEntries(db, requested)
  const hasMore = ids.length > entries.length || total === MAX_MATCHES
  const isFull = entries.length < requested.length
  return {
    entries,
    total,
    next: hasMore ? entries.at(-1)?.id : undefined,
    limit: isFull ? entries.length : page.limit,
  }
}

/** Lists the terms of a filter that the column `terms` has beside the words. */
function listFacets({ type, payTo, scheme, network, asset }: CatalogFilter): string[] {
  const facets = { type, pay_to: payTo, scheme, network, asset }
  return Object.entries(facets).flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`]))
}

async function readMatches(
  db: Kysely<Tables>,
  { minAmount, maxAmount }: CatalogFilter,
  terms: readonly string[],
  { before, offset, limit }: CatalogPage,
): Promise<{ readonly ids: readonly number[]; readonly total: number }> {
  const query = terms.length === 0 ? null : formatQuery(terms)
  const { rows } = await sql<{ ids: number[]; total: number }>`
    with match (id) as materialized (
      select * from facilitator.search_catalog(${query}::tsquery, ${minAmount?.toString() ?? null}::numeric,
        ${maxAmount?.toString() ?? null}::numeric, ${before ?? null}::bigint, ${MAX_MATCHES}))
    select array(select m.id from match m order by m.id desc offset ${offset} limit ${limit + 1}) as ids,
      (select count(*)::integer from match) as total`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('A search of the catalog returned no row')
  return { ids: row.ids.map(Number), total: row.total }
}

/** Formats a query for entries that have all terms. */
const formatQuery = (terms: readonly string[]): string =>
  terms.map((term) => `'${term.replaceAll(/['\\]/g, '$&$&')}'`).join(' & ')

/** Reads the first of the entries: as many as a page may have. */
async function readEntries(db: Kysely<Tables>, ids: readonly number[]): Promise<CatalogEntry[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom((tables) =>
      tables
        .selectFrom('facilitator.catalog_entries')
        .where('id', 'in', [...ids])
        .selectAll()
        .select(sql<number>`row_number() over (order by id desc)`.as('place'))
        .select(sql<string>`sum(document_bytes) over (order by id desc)`.as('page_bytes'))
        .as('e'),
    )
    .innerJoin('facilitator.catalog_documents as d', 'd.entry_id', 'e.id')
    .where(({ or, eb }) => or([eb('e.place', '=', 1), eb('e.page_bytes', '<=', String(MAX_PAGE_BYTES))]))
    .orderBy('e.id', 'desc')
    .select(['e.id', 'e.scheme', 'e.network', 'e.asset', 'e.pay_to', 'e.amount', 'e.content_changed_at'])
    .select(['e.settle_count', 'e.first_settled_at', 'e.last_settled_at', 'd.document'])
    .execute()
  return rows.map((row) => ({
    id: row.id,
    listing: row.document,
    scheme: row.scheme,
    network: row.network,
    asset: row.asset,
    payTo: row.pay_to,
    amount: row.amount,
    changedAt: row.content_changed_at,
    settleCount: Number(row.settle_count),
    firstSettledAt: row.first_settled_at,
    lastSettledAt: row.last_settled_at,
  }))
}
