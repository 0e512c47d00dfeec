import { PLANNED_EACH_TIME } from '@mintmark/server-kit'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../tables.ts'
import { readSearchWords } from './catalog-words.ts'
import type { ResourceListing } from './listing.ts'

/** The most entries that one request compares with its conditions. */
export const MAX_CANDIDATES = 2_000
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
  /** The matches among the newest `MAX_CANDIDATES` entries of one narrow condition. */
  readonly total: number
  /** Whether older entries were not compared. */
  readonly isPartial: boolean
  /** The id after which the list continues. Undefined at its end. */
  readonly next: number | undefined
  /** The most entries of the page: fewer than requested if they are large. The next offset follows from it. */
  readonly limit: number
}

/** Creates the result of a search that matches nothing. */
export const createEmptyResult = ({ limit }: CatalogPage): CatalogResult => ({
  entries: [],
  total: 0,
  isPartial: false,
  next: undefined,
  limit,
})

/**
 * Searches the catalog, newest entries first. Reads the entries of one narrow condition in the order of their
 * ids, at most `MAX_CANDIDATES`, and compares each with the other conditions. So the work is bounded for any
 * distribution of the entries, and without statistics of the tables.
 */
export async function searchCatalog(
  db: Kysely<Tables>,
  filter: CatalogFilter,
  page: CatalogPage,
): Promise<CatalogResult> {
  const words = filter.query === undefined ? [] : await readSearchWords(db, filter.query, MAX_QUERY_WORDS)
  // A text without a word matches nothing.
  if (filter.query !== undefined && words.length === 0) return createEmptyResult(page)
  const conditions = listConditions(filter, words)
  const before = page.before ?? Number.MAX_SAFE_INTEGER
  const driver = await chooseDriver(db, conditions, before)
  const rest = conditions.filter((condition) => condition !== driver)
  const found = await readMatches(db, { driver, rest, before, page })
  return toResult(db, found, page)
}

/**
 * A condition of a search: the entries that fulfill it, newest first, and how one entry is compared with it.
 */
interface Condition {
  /** Selects `id` of at most `limit` entries below `before`, from an index in their order. */
  select(before: number, limit: number): RawBuilder<unknown>
  /** Compares the entry `e`. */
  readonly matches: RawBuilder<unknown>
  /**
   * Whether the entries are in an order other than their ids', so that the condition is used only if it has
   * few.
   */
  readonly isUnordered?: boolean
  /**
   * Whether `select` returns entries that do not fulfill the condition, because no index has only those that
   * do.
   */
  readonly isScan?: boolean
}

// Row comparisons bind a plan to the index that begins with these columns: equalities would permit a scan of
// the primary key, which reads every entry if few match.
const columnCondition = (
  column: 'type' | 'pay_to' | 'scheme' | 'network' | 'asset',
  value: string,
): Condition => ({
  select: (before, limit) => sql`
    select c.id from facilitator.catalog_entries c
    where (c.${sql.ref(column)}, c.id) < (${value}::text, ${before}::bigint) and c.${sql.ref(column)} >= ${value}::text
    order by c.${sql.ref(column)} desc, c.id desc limit ${sql.lit(limit)}`,
  matches: sql`e.${sql.ref(column)} = ${value}::text`,
})

const networkSchemeCondition = (network: string, scheme: string): Condition => ({
  select: (before, limit) => sql`
    select c.id from facilitator.catalog_entries c
    where (c.network, c.scheme, c.id) < (${network}::text, ${scheme}::text, ${before}::bigint)
      and (c.network, c.scheme) >= (${network}::text, ${scheme}::text)
    order by c.network desc, c.scheme desc, c.id desc limit ${sql.lit(limit)}`,
  matches: sql`e.network = ${network}::text and e.scheme = ${scheme}::text`,
})

const wordCondition = (word: string): Condition => ({
  select: (before, limit) => sql`
    select c.entry_id as id from facilitator.catalog_words c
    where (c.word, c.entry_id) < (${word}::text, ${before}::bigint) and c.word >= ${word}::text
    order by c.word desc, c.entry_id desc limit ${sql.lit(limit)}`,
  matches: sql`${word}::text = any (e.words)`,
})

const priceCondition = (asset: string, min: bigint, max: bigint): Condition => ({
  select: (before, limit) => sql`
    select c.id from facilitator.catalog_entries c
    where c.asset = ${asset}::text and c.amount >= ${min.toString()}::numeric and c.amount <= ${max.toString()}::numeric
      and c.id < ${before}::bigint
    order by c.asset, c.amount limit ${sql.lit(limit)}`,
  matches: sql`e.asset = ${asset}::text and ${priceMatches(min, max)}`,
  isUnordered: true,
})

const priceMatches = (min: bigint, max: bigint) =>
  sql`e.amount >= ${min.toString()}::numeric and e.amount <= ${max.toString()}::numeric`

const ALL_ENTRIES: Condition = {
  select: (before, limit) => sql`
    select c.id from facilitator.catalog_entries c where c.id < ${before}::bigint order by c.id desc limit ${sql.lit(limit)}`,
  matches: sql`true`,
}

const MAX_AMOUNT = 10n ** 78n - 1n

/** Lists the conditions of a filter. The first one that has an order is the most selective by experience. */
function listConditions(filter: CatalogFilter, words: readonly string[]): Condition[] {
  const { type, payTo, scheme, network, asset, minAmount, maxAmount } = filter
  const conditions = words.map(wordCondition)
  if (payTo !== undefined) conditions.push(columnCondition('pay_to', payTo))
  if (asset !== undefined) conditions.push(columnCondition('asset', asset))
  if (network !== undefined && scheme !== undefined) conditions.push(networkSchemeCondition(network, scheme))
  else if (network !== undefined) conditions.push(columnCondition('network', network))
  else if (scheme !== undefined) conditions.push(columnCondition('scheme', scheme))
  if (type !== undefined) conditions.push(columnCondition('type', type))
  if (minAmount !== undefined || maxAmount !== undefined) {
    const min = minAmount ?? 0n
    const max = maxAmount ?? MAX_AMOUNT
    conditions.push(
      asset === undefined
        ? { ...ALL_ENTRIES, matches: priceMatches(min, max), isScan: true }
        : priceCondition(asset, min, max),
    )
  }
  return conditions.length === 0 ? [ALL_ENTRIES] : conditions
}

/**
 * Chooses the first condition that has fewer entries than a request compares: its result is complete. Counts
 * each condition up to the most candidates, and none after the chosen one. If all have more, the first one
 * that has an order is chosen.
 */
async function chooseDriver(
  db: Kysely<Tables>,
  conditions: readonly Condition[],
  before: number,
): Promise<Condition> {
  const [only = ALL_ENTRIES] = conditions
  if (conditions.length === 1 && only.isUnordered !== true) return only
  const limit = sql.lit(MAX_CANDIDATES)
  // `offset 0` keeps the counts in this order, each once.
  const counts = conditions.map((condition, index) => {
    const count = sql`(select count(*) from (${condition.select(before, MAX_CANDIDATES)}) as counted)`
    const previous = sql.ref(`counted${index - 1}.size`)
    const size = index === 0 ? count : sql`case when ${previous} >= ${limit} then ${count} else 0 end`
    return sql`lateral (select ${size} as size offset 0) as ${sql.ref(`counted${index}`)}`
  })
  const isSmall = conditions.map((_, index) => sql`${sql.ref(`counted${index}.size`)} < ${limit}`)
  const { rows } = await sql<{ small: boolean[] }>`${sql.raw(PLANNED_EACH_TIME)}
    select array[${sql.join(isSmall)}] as small from ${sql.join(counts)}`.execute(db)
  const complete = rows[0]?.small.indexOf(true) ?? -1
  const ordered = conditions.find(({ isUnordered }) => isUnordered !== true)
  return conditions[complete] ?? ordered ?? ALL_ENTRIES
}

interface Matches {
  readonly ids: readonly number[]
  readonly total: number
  readonly candidates: number
  readonly oldest: number | null
}

interface MatchRequest {
  readonly driver: Condition
  readonly rest: readonly Condition[]
  readonly before: number
  readonly page: CatalogPage
}

async function readMatches(
  db: Kysely<Tables>,
  { driver, rest, before, page: { offset, limit } }: MatchRequest,
): Promise<Matches> {
  // The look-up with `offset 0` reads the candidates by their keys, whatever the statistics are, and all of a
  // page of the index at once.
  const compared = driver.isScan === true ? [driver, ...rest] : rest
  const matching =
    compared.length === 0
      ? sql`select k.id from candidate k`
      : sql`select e.id from (select c.* from facilitator.catalog_entries c
            where c.id = any (array(select k.id from candidate k)) offset 0) as e
          where ${sql.join(
            compared.map(({ matches }) => matches),
            sql` and `,
          )}`
  const { rows } = await sql<{
    ids: number[]
    total: string
    candidates: string
    oldest: number | null
  }>`${sql.raw(PLANNED_EACH_TIME)}
    with candidate as materialized (${driver.select(before, MAX_CANDIDATES)}),
    match as materialized (${matching})
    select array(select m.id from match m order by m.id desc offset ${offset} limit ${limit + 1}) as ids,
      (select count(*) from match) as total, (select count(*) from candidate) as candidates,
      (select min(k.id) from candidate k) as oldest`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('A search of the catalog returned no row')
  return {
    ids: row.ids.map(Number),
    total: Number(row.total),
    candidates: Number(row.candidates),
    oldest: row.oldest,
  }
}

async function toResult(
  db: Kysely<Tables>,
  { ids, total, candidates, oldest }: Matches,
  { limit }: CatalogPage,
): Promise<CatalogResult> {
  const requested = ids.slice(0, limit)
  const entries = await readEntries(db, requested)
  const isExhausted = candidates < MAX_CANDIDATES
  const hasMore = ids.length > entries.length
  // A page that is not full ends where the candidates end: the next one continues below them.
  const end = isExhausted ? undefined : (oldest ?? undefined)
  const next = hasMore ? (entries.at(-1)?.id ?? ids.at(-1)) : end
  const isFull = entries.length < requested.length
  return {
    entries,
    total,
    isPartial: !hasMore && !isExhausted,
    next,
    limit: isFull ? entries.length : limit,
  }
}

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
