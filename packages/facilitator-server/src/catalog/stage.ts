import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { batch } from '../database/batch.ts'
import type { Tables } from '../database/tables.ts'
import type { ResourceListing } from '../payment/listing.ts'

/** The most entries of an account. */
export const MAX_ENTRIES_PER_ACCOUNT = 10_000

/** What a seller learns of the listing of a settled payment. */
export type ListingStatus =
  /** The resource is in the catalog. */
  | 'cataloged'
  /** The resource will be added. */
  | 'pending'
  /** The account has as many entries as it may have. */
  | 'full'

/** The listing of one payment. */
export interface ListedPayment {
  readonly accountId: number
  readonly payment: Readonly<Record<'payTo' | 'scheme' | 'network' | 'asset', string>>
  readonly listing: Pick<ResourceListing, 'resource' | 'type' | 'action'>
}

interface StagedListing extends ListedPayment {
  readonly settlementId: number
  readonly listing: ResourceListing
}

/**
 * Computes the key of an entry. The account is part of it: anybody can pay a seller, and must not change the
 * seller's entries by doing so.
 */
export function createEntryKey({ accountId, payment, listing }: ListedPayment): Buffer {
  const { payTo, scheme, network, asset } = payment
  const parts = [accountId, payTo, listing.resource, listing.type, listing.action, scheme, network, asset]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

export interface ListingStore {
  /** Stores the listing of a reserved settlement until the settlement ends. Idempotent. */
  stage(staged: StagedListing): Promise<ListingStatus>
  /** Reads the status of the listing of a settlement that was staged before. */
  readStatus(listed: ListedPayment): Promise<ListingStatus>
}

/** The most listings that one statement stages. */
const MAX_BATCH_SIZE = 500

/** Creates the store of listings. Concurrent calls share a statement. */
export function createListingStore(
  db: Kysely<Tables>,
  maxEntries: number = MAX_ENTRIES_PER_ACCOUNT,
): ListingStore {
  const limits = { maxItems: MAX_BATCH_SIZE }
  return {
    stage: batch((items: StagedListing[]) => stageBatch(db, maxEntries, items), limits),
    readStatus: batch((items: ListedPayment[]) => readStatuses(db, maxEntries, items), limits),
  }
}

async function stageBatch(
  db: Kysely<Tables>,
  maxEntries: number,
  items: readonly StagedListing[],
): Promise<ListingStatus[]> {
  const ids = items.map(({ settlementId }) => settlementId)
  const accounts = items.map(({ accountId }) => accountId)
  const listings = items.map(({ listing }) => JSON.stringify(listing))
  const keys = items.map(createEntryKey)
  const { rows } = await sql<StatusRow>`
    with item as (
      select * from unnest(${ids}::bigint[], ${accounts}::bigint[], ${listings}::text[], ${keys}::bytea[])
        with ordinality as i (settlement_id, account_id, listing, entry_key, place)
    ), status as (
      select i.*, ${selectStatus(maxEntries)} as status from item i
    ), staged as (
      insert into facilitator.staged_resources as s (settlement_id, account_id, listing)
      select t.settlement_id, t.account_id, t.listing::jsonb from status t where t.status <> 'full'
      order by t.settlement_id
      -- A payment that was not sent is reserved, and staged, again.
      on conflict (settlement_id) do update set listing = excluded.listing, check_at = excluded.check_at, check_count = 0
    )
    select place, status from status`.execute(db)
  return orderStatuses(rows, items.length)
}

async function readStatuses(
  db: Kysely<Tables>,
  maxEntries: number,
  items: readonly ListedPayment[],
): Promise<ListingStatus[]> {
  const accounts = items.map(({ accountId }) => accountId)
  const keys = items.map(createEntryKey)
  const { rows } = await sql<StatusRow>`
    select i.place, ${selectStatus(maxEntries)} as status
    from unnest(${accounts}::bigint[], ${keys}::bytea[]) with ordinality as i (account_id, entry_key, place)`.execute(
    db,
  )
  return orderStatuses(rows, items.length)
}

interface StatusRow {
  readonly place: number
  readonly status: ListingStatus
}

const selectStatus = (maxEntries: number) => sql<ListingStatus>`
  case when exists (select from facilitator.catalog_entries e where e.entry_key = i.entry_key) then 'cataloged'
    when exists (select from facilitator.catalog_accounts a
      where a.account_id = i.account_id and a.entries >= ${maxEntries}::integer) then 'full'
    else 'pending' end`

function orderStatuses(rows: readonly StatusRow[], count: number): ListingStatus[] {
  const byPlace = new Map(rows.map(({ place, status }) => [Number(place), status]))
  return Array.from({ length: count }, (_, index) => byPlace.get(index + 1) ?? 'pending')
}
