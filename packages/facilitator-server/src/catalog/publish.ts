import { transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { SettlementState, Tables } from '../database/tables.ts'
import type { EngineLog } from '../engine/settings/engine-options.ts'
import { isObject, type JsonObject } from '../payment/fields.ts'
import type { ResourceListing } from '../payment/listing.ts'
import { readWords } from './catalog-words.ts'
import { findPathExample, isForPlaceholder, PATH_PARAMETERS, withPathExample } from './path-example.ts'
import { createEntryKey, MAX_ENTRIES_PER_ACCOUNT } from './stage.ts'

export interface PublishOptions {
  readonly log: EngineLog
  /** The most entries of an account. */
  readonly maxEntries?: number
  /**
   * Seconds without a payment that has an entry's present description, until one with another replaces it. Any
   * payer can send another, and payments in between are counted. Default: 3,600.
   */
  readonly changeSeconds?: number
}

/** The most staged listings of one transaction. */
const BATCH = 200
/** Any number: it identifies the lock of those who publish. */
const PUBLISH_LOCK = 4_402_090
/** A listing that cannot be published this often is dropped. */
const MAX_FAILURES = 10
const CHANGE_SECONDS = 3_600

interface DueListing {
  readonly settlement_id: number
  readonly account_id: number
  readonly listing: ResourceListing
  /** The hash of the listing without its path parameters. */
  readonly content_hash: Buffer
  readonly state: SettlementState
  /** When the settlement ended. The time of the read, if it has not. */
  readonly ended_at: Date
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly pay_to: string
  readonly amount: string
}

/** The settled payments of one entry. */
interface Publication {
  readonly key: Buffer
  /** The newest one, which has the terms of the entry. */
  readonly newest: DueListing
  /** The newest one that describes the resource. Undefined if all are for the address of its route. */
  readonly describing: DueListing | undefined
  /** The path parameters of the first one whose path parameters are values. */
  readonly example: JsonObject | undefined
  /** The different contents. */
  readonly contentHashes: readonly Buffer[]
  readonly count: number
  readonly firstSettledAt: Date
  readonly lastSettledAt: Date
}

/**
 * Publishes the staged listings of settled payments in the catalog, and forgets those of failed ones. One
 * process works at a time. What a crash interrupts stays staged.
 *
 * @returns The number of listings that were published, forgotten or postponed.
 */
export async function publishListings(db: Kysely<Tables>, options: PublishOptions): Promise<number> {
  let total = 0
  for (;;) {
    const count = await publishBatch(db, options)
    total += count
    if (count < BATCH) return total
  }
}

async function publishBatch(db: Kysely<Tables>, options: PublishOptions): Promise<number> {
  try {
    return await transaction(db, (trx) => publishDue(trx, options, BATCH))
  } catch (error) {
    options.log.error(
      { err: error },
      'Listings could not be published together. They are published one by one',
    )
    return publishEach(db, options)
  }
}

/** Publishes due listings alone, so that one that fails delays no other. */
async function publishEach(db: Kysely<Tables>, options: PublishOptions): Promise<number> {
  for (let published = 0; published < BATCH; published += 1) {
    try {
      const count = await transaction(db, (trx) => publishDue(trx, options, 1))
      if (count === 0) return published
    } catch (error) {
      const id = await postponeFirst(db)
      options.log.error({ err: error, settlementId: id }, 'A listing could not be published')
    }
  }
  return BATCH
}

/** Postpones the listing that is due first, or drops it after too many failures. */
async function postponeFirst(db: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ settlement_id: number }>`
    with first as (
      select settlement_id, check_count from facilitator.staged_resources where check_at <= statement_timestamp()
      order by check_at, settlement_id limit 1
    ), dropped as (
      delete from facilitator.staged_resources s using first f
      where s.settlement_id = f.settlement_id and f.check_count >= ${MAX_FAILURES}
    ), postponed as (
      update facilitator.staged_resources s set check_at = clock_timestamp() + interval '1 minute',
        check_count = s.check_count + 1
      from first f where s.settlement_id = f.settlement_id and f.check_count < ${MAX_FAILURES}
    )
    select settlement_id from first`.execute(db)
  return rows[0]?.settlement_id
}

async function publishDue(trx: Kysely<Tables>, options: PublishOptions, limit: number): Promise<number> {
  const { rows: locks } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${PUBLISH_LOCK}) as locked`.execute(trx)
  if (locks[0]?.locked !== true) return 0
  const { rows: due } = await sql<DueListing>`
    select s.settlement_id, s.account_id, s.listing, t.state,
      sha256(convert_to((s.listing #- ${PATH_PARAMETERS}::text[])::text, 'UTF8')) as content_hash, coalesce(t.ended_at, now()) as ended_at,
      t.scheme, t.network, t.asset, t.pay_to,
      t.amount::text as amount
    from facilitator.staged_resources s join facilitator.settlements t on t.id = s.settlement_id
    where s.check_at <= statement_timestamp() order by s.check_at, s.settlement_id limit ${limit}
    for update of s skip locked`.execute(trx)
  for (const publication of groupByEntry(due.filter(({ state }) => state === 'settled'))) {
    await publishEntry(trx, publication, options)
  }
  await finishListings(trx, due)
  return due.length
}

function groupByEntry(settled: readonly DueListing[]): Publication[] {
  const byKey = new Map<string, { key: Buffer; payments: DueListing[] }>()
  for (const due of settled) {
    const { account_id: accountId, pay_to: payTo, scheme, network, asset, listing } = due
    const key = createEntryKey({ accountId, payment: { payTo, scheme, network, asset }, listing })
    const name = key.toString('base64')
    const group = byKey.get(name) ?? { key, payments: [] }
    group.payments.push(due)
    byKey.set(name, group)
  }
  return [...byKey.values()].flatMap(({ key, payments }) => {
    const inOrder = payments.toSorted((first, second) => first.ended_at.getTime() - second.ended_at.getTime())
    const [oldest] = inOrder
    const newest = inOrder.at(-1)
    if (oldest === undefined || newest === undefined) return []
    const hashes = inOrder.map(({ content_hash }) => content_hash)
    return [
      {
        key,
        newest,
        describing: inOrder.findLast(({ listing }) => !isForPlaceholder(listing)),
        example: inOrder.map(({ listing }) => findPathExample(listing)).find(isObject),
        contentHashes: [...new Map(hashes.map((hash) => [hash.toString('hex'), hash])).values()],
        count: payments.length,
        firstSettledAt: oldest.ended_at,
        lastSettledAt: newest.ended_at,
      },
    ]
  })
}

async function publishEntry(
  trx: Kysely<Tables>,
  publication: Publication,
  options: PublishOptions,
): Promise<void> {
  const { key, newest, describing, contentHashes, count, lastSettledAt } = publication
  const seconds = options.changeSeconds ?? CHANGE_SECONDS
  const { rows } = await sql<ExistingEntry>`
    update facilitator.catalog_entries e set settle_count = e.settle_count + ${count},
      amount = case when e.last_settled_at <= ${lastSettledAt}::timestamptz then ${newest.amount}::numeric else e.amount end,
      last_settled_at = greatest(e.last_settled_at, ${lastSettledAt}::timestamptz),
      last_settled_on = greatest(e.last_settled_on, (${lastSettledAt}::timestamptz at time zone 'UTC')::date),
      content_confirmed_at = case when e.content_hash = any (${contentHashes}::bytea[]) then clock_timestamp()
        else e.content_confirmed_at end
    from facilitator.catalog_documents d
    where e.entry_key = ${key} and d.entry_id = e.id
    returning e.id, d.document, not e.content_hash = any (${contentHashes}::bytea[])
      and e.last_settled_at <= ${lastSettledAt}::timestamptz
      and e.content_confirmed_at <= clock_timestamp() - make_interval(secs => ${seconds}::float8) as is_replaceable`.execute(
    trx,
  )
  const [existing] = rows
  if (existing === undefined) return addEntry(trx, publication, options)
  const replacement = existing.is_replaceable ? describing : undefined
  const example = findPathExample(existing.document)
  if (replacement === undefined && (example !== undefined || publication.example === undefined)) return
  const listing = withPathExample(replacement?.listing ?? existing.document, example ?? publication.example)
  await changeEntry(trx, existing, { listing, contentHash: replacement?.content_hash })
}

interface ExistingEntry {
  readonly id: number
  readonly document: ResourceListing
  /** Whether no payment had the present description for long enough. */
  readonly is_replaceable: boolean
}

/** `contentHash`: undefined if only the example changes. */
async function changeEntry(
  trx: Kysely<Tables>,
  { id }: ExistingEntry,
  { listing, contentHash }: { listing: ResourceListing; contentHash: Buffer | undefined },
): Promise<void> {
  const document = JSON.stringify(listing)
  const words = await readWords(trx, listing)
  await sql`
    update facilitator.catalog_entries set words = ${words}::text[],
      content_hash = coalesce(${contentHash ?? null}::bytea, content_hash), content_changed_at = clock_timestamp(),
      content_confirmed_at = case when ${contentHash ?? null}::bytea is null then content_confirmed_at
        else clock_timestamp() end,
      document_bytes = ${Buffer.byteLength(document)} where id = ${id}`.execute(trx)
  await sql`
    update facilitator.catalog_documents set document = ${document}::jsonb where entry_id = ${id}`.execute(
    trx,
  )
}

async function addEntry(
  trx: Kysely<Tables>,
  { key, newest, describing = newest, example, count, firstSettledAt, lastSettledAt }: Publication,
  { log, maxEntries = MAX_ENTRIES_PER_ACCOUNT }: PublishOptions,
): Promise<void> {
  const { account_id, pay_to, scheme, network, asset, amount } = newest
  const listing = withPathExample(describing.listing, example)
  const document = JSON.stringify(listing)
  const words = await readWords(trx, listing)
  const { rows } = await sql<{ id: number }>`
    with allowed as (
      insert into facilitator.catalog_accounts as a (account_id, entries) values (${account_id}, 1)
      on conflict (account_id) do update set entries = a.entries + 1 where a.entries < ${maxEntries}
      returning a.account_id
    )
    insert into facilitator.catalog_entries (account_id, entry_key, type, pay_to, scheme, network, asset, amount, words,
      content_hash, settle_count, first_settled_at, last_settled_at, last_settled_on, document_bytes)
    select a.account_id, ${key}, ${listing.type}, ${pay_to}, ${scheme}, ${network}, ${asset}, ${amount}::numeric,
      ${words}::text[], ${describing.content_hash}, ${count}, ${firstSettledAt}, ${lastSettledAt},
      (${lastSettledAt}::timestamptz at time zone 'UTC')::date, ${Buffer.byteLength(document)} from allowed a
    returning id`.execute(trx)
  const [added] = rows
  if (added === undefined) {
    log.warn({ accountId: account_id }, 'An account has as many entries in the catalog as it may have')
    return
  }
  await sql`insert into facilitator.catalog_documents (entry_id, document) values (${added.id}, ${document}::jsonb)`.execute(
    trx,
  )
}

/** Deletes the listings of ended settlements. The others are checked later, less and less often. */
async function finishListings(trx: Kysely<Tables>, due: readonly DueListing[]): Promise<void> {
  const ended = due.filter(({ state }) => state === 'settled' || state === 'failed')
  const open = due.filter(({ state }) => state !== 'settled' && state !== 'failed')
  if (ended.length > 0) {
    await sql`delete from facilitator.staged_resources
      where settlement_id = any (${ended.map(({ settlement_id }) => settlement_id)}::bigint[])`.execute(trx)
  }
  if (open.length > 0) {
    // A payment that was not sent can be settled until it expires. Then nothing can settle it.
    await sql`
      with checked as (
        select s.settlement_id, t.state = 'not_sent' and t.valid_before < extract(epoch from clock_timestamp()) - 3600
          as expired
        from facilitator.staged_resources s join facilitator.settlements t on t.id = s.settlement_id
        where s.settlement_id = any (${open.map(({ settlement_id }) => settlement_id)}::bigint[])
      ), forgotten as (
        delete from facilitator.staged_resources s using checked c where s.settlement_id = c.settlement_id and c.expired
      )
      update facilitator.staged_resources s set check_count = s.check_count + 1,
        check_at = clock_timestamp() + make_interval(secs => least(600, power(2, least(s.check_count, 10))))
      from checked c where s.settlement_id = c.settlement_id and not c.expired`.execute(trx)
  }
}
