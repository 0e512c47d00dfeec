import { isDatabaseError, type Logger, transaction } from '@mintmark/server-kit'
import type { AddedEvent } from '@mintmark/webhooks'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { EventSource, NewEvent, RowChange } from '../../database/event-source.ts'
import type { Tables } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import { MAX_EVENT_BYTES } from './events-store.ts'

export interface SequencerOptions {
  /** Connections of the schema's owner, who reads the rows of all projects. */
  readonly db: Kysely<Tables>
  readonly sources: readonly EventSource[]
  readonly publicUrl: string
  readonly log: Pick<Logger, 'error'>
  /** About how many changes one transaction turns into events. Default 500. */
  readonly batchSize?: number
  /** Adds the deliveries of new events to webhooks, in the same transaction. Default: none. */
  readonly addDeliveries?: AddDeliveries
  /** Adds the entries of the changes to the audit log, in the same transaction. */
  readonly addAuditEntries: AddAuditEntries
  /** Adds the events to the totals of their projects, in the same transaction. Default: none. */
  readonly addTotals?: AddTotals
}

/** Adds events to the totals of their projects. It is called exactly once for each event. */
export type AddTotals = (trx: Transaction<Tables>, events: readonly SequencedEvent[]) => Promise<void>

/** Adds the deliveries of events. */
export type AddDeliveries = (trx: Transaction<Tables>, events: readonly AddedEvent[]) => Promise<void>

/**
 * All that a committed transaction changed of a row. The row before and after is in `row_changes` until the
 * end of the transaction that adds the entry.
 */
export interface CommittedChange {
  readonly project: number
  /**
   * The ids of the first and the last of these changes in `row_changes`. The last one has the actor, the time
   * and the key of the row.
   */
  readonly first: number
  readonly last: number
}

/**
 * Adds the entries of changes to the audit log, in the given order. It is called exactly once for each
 * change.
 */
export type AddAuditEntries = (trx: Transaction<Tables>, changes: readonly CommittedChange[]) => Promise<void>

/** What a statement of a committed transaction changed of a row, and is not reported yet. */
interface StoredChange {
  readonly id: number
  readonly project_id: number
  readonly relation: string
  readonly transaction: string
  /** Identifies the row in its table. */
  readonly row_key: string
  readonly changed_at: Date
  /** Whether the audit log has it, because an earlier attempt to report it failed. */
  readonly is_audited: boolean
}

/**
 * All that a transaction changed of a row: from what it was before the first of these changes to what it was
 * after the last.
 */
interface MergedChange {
  readonly changes: readonly StoredChange[]
  readonly first: StoredChange
  readonly last: StoredChange
}

export interface SequencedEvent {
  readonly project: number
  readonly type: string
  readonly subject: string
  readonly occurredAt: string
  readonly data: unknown
}

/**
 * The channel on which a transaction announces new events. The payload is a JSON array of ids of projects.
 */
export const EVENTS_CHANNEL = 'mintmark_gateway_events'

/**
 * The most ids in one payload, which PostgreSQL limits to 8,000 bytes. A transaction can change rows of any
 * number of projects.
 */
const NOTIFIED_PROJECTS = 300

const BATCH_SIZE = 500

/**
 * Turns committed changes of rows into entries of the audit log and into events, and numbers both. Numbers
 * are assigned after the changes were committed, by one transaction at a time, so that a reader that has seen
 * number 7 never misses a later event with a smaller number.
 *
 * A transaction stores its changes while it holds the locks of the rows, so that the changes of one subject
 * are in the order of their ids, although a transaction with smaller ids may commit later. Each project has
 * an equal share of a batch: one that changes many rows delays its own events only.
 *
 * @returns The number of changes that were reported. 0 if another process is doing that, or if there are
 * none.
 */
export async function sequenceChanges(options: SequencerOptions): Promise<number> {
  const { reported } = await sequenceNext(options)
  return reported
}

/** What one transaction reported. */
interface Batch {
  readonly reported: number
  /** Whether a project may have had more changes than its share. */
  readonly isFull: boolean
}

const NOTHING: Batch = { reported: 0, isFull: false }

async function sequenceNext(options: SequencerOptions): Promise<Batch> {
  if (!(await hasChanges(options.db))) return NOTHING
  try {
    return await sequenceBatch(options, createEvent)
  } catch (error) {
    if (!isCausedByData(error)) throw error
    // The failed statement has aborted the transaction. With savepoints only the change that causes it is
    // left out.
    return await sequenceBatch(options, createEventUnderSavepoint)
  }
}

/**
 * Turns all changes that wait into events. Those that are made meanwhile wait for the next call: a batch of
 * few changes costs almost as much as one of many, so under load the pause between calls is what makes events
 * cheap. Returns the number of changes that were reported.
 */
export async function sequenceAllChanges(options: SequencerOptions): Promise<number> {
  let total = 0
  for (;;) {
    const { reported, isFull } = await sequenceNext(options)
    total += reported
    if (!isFull) return total
  }
}

/**
 * Whether a statement failed because of the values that it processes, so that it always fails: data
 * exceptions and violated constraints.
 */
function isCausedByData(error: unknown): boolean {
  return isDatabaseError(error) && /^(22|23)/.test(error.code ?? '')
}

async function sequenceBatch(options: SequencerOptions, create: CreateEvents): Promise<Batch> {
  const { db, batchSize = BATCH_SIZE } = options
  return await transaction(db, async (trx) => {
    if (!(await tryLock(trx))) return NOTHING
    const stored = await listChanges(trx, batchSize)
    if (stored.length === 0) return NOTHING
    const merged = mergeChanges(stored)
    const events = await createEvents(trx, merged, options, create)
    await addToAuditLog(trx, merged, options)
    await addEvents(trx, events, options.addDeliveries)
    await options.addTotals?.(trx, events)
    await deleteReported(trx, stored)
    return { reported: stored.length, isFull: hasFullShare(stored, batchSize) }
  })
}

/** Whether a project has its whole share of a batch, which `listChanges` computes in the same way. */
function hasFullShare(stored: readonly StoredChange[], batchSize: number): boolean {
  const counts = new Map<number, number>()
  for (const { project_id: project } of stored) counts.set(project, (counts.get(project) ?? 0) + 1)
  const share = Math.max(1, Math.floor(batchSize / counts.size))
  return [...counts.values()].some((count) => count >= share)
}

/**
 * Adds changes to the audit log, except those that it has: a change that could not be reported before is
 * reported later, but was audited then.
 */
async function addToAuditLog(
  trx: Transaction<Tables>,
  merged: readonly MergedChange[],
  { addAuditEntries }: SequencerOptions,
): Promise<void> {
  const changes = merged
    .filter(({ last }) => !last.is_audited)
    .map(({ first, last }) => ({ project: last.project_id, first: first.id, last: last.id }))
  if (changes.length > 0) await addAuditEntries(trx, changes)
}

/** Whether changes wait. This read takes no lock. */
async function hasChanges(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`
    select exists (select from gateway.row_changes where problem = '') as waiting`.execute(db)
  return rows[0]?.waiting === true
}

async function tryLock(trx: Transaction<Tables>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('gateway.events', 0)) as locked`.execute(trx)
  return rows[0]?.locked === true
}

/**
 * Lists the first waiting changes of each project, in the order of the changes, and with them all other
 * changes that their transactions made to the same rows. No transaction changes a row between two changes of
 * another one, so that the changes of a row stay in order.
 *
 * `offset 0` is an optimization fence: the changes of each project and of each row are looked up by index,
 * whatever the statistics say.
 */
async function listChanges(trx: Transaction<Tables>, limit: number): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    with project as (
      -- If more projects wait than a batch has changes, those that wait longest are first.
      select project_id from gateway.first_unreported_changes() order by id limit ${limit}
    ), changed_row as (
      select distinct f.project_id, f.transaction, f.relation, f.row_key
      from project p cross join lateral (
        select c.project_id, c.transaction, c.relation, c.row_key from gateway.row_changes c
        where c.project_id = p.project_id and c.problem = ''
        order by c.id limit greatest(1, ${limit}::bigint / (select count(*) from project))) f
    )
    select c.id, c.project_id, c.relation, c.transaction::text, c.row_key, c.changed_at, c.is_audited
    from changed_row r cross join lateral (
      select * from gateway.row_changes c
      where c.project_id = r.project_id and c.transaction = r.transaction and c.relation = r.relation
        and c.row_key = r.row_key and c.problem = ''
      offset 0) c
    order by c.id`.execute(trx)
  return rows
}

/** Merges the changes that a transaction made to one row. They are in the place of the last one. */
function mergeChanges(stored: readonly StoredChange[]): MergedChange[] {
  const merged = new Map<string, MergedChange>()
  for (const change of stored) {
    const key = [change.transaction, change.project_id, change.relation, change.row_key].join('/')
    const earlier = merged.get(key)
    merged.delete(key)
    merged.set(key, {
      changes: [...(earlier?.changes ?? []), change],
      first: earlier?.first ?? change,
      last: change,
    })
  }
  return [...merged.values()]
}

/** Creates the events of one row's changes. */
type CreateEvents = (
  trx: Transaction<Tables>,
  change: RowChange<never>,
  stored: StoredChange,
  options: SequencerOptions,
) => Promise<SequencedEvent[]>

/**
 * Creates the events of changes. A change that its source cannot report is kept with its problem, so that it
 * stops no other event.
 */
async function createEvents(
  trx: Transaction<Tables>,
  changes: readonly MergedChange[],
  options: SequencerOptions,
  create: CreateEvents,
): Promise<SequencedEvent[]> {
  const images = await readImages(trx, changes)
  const events: SequencedEvent[] = []
  for (const change of changes) {
    const { first, last } = change
    const before = images.before.get(first.id)
    const after = images.after.get(last.id)
    if (before === undefined && after === undefined) continue
    try {
      // The images were read with the columns of the source's table.
      events.push(...(await create(trx, { before, after } as RowChange<never>, last, options)))
    } catch (error) {
      if (isDatabaseError(error) && !(create === createEventUnderSavepoint && isCausedByData(error)))
        throw error
      const { id, project_id: projectId, relation: table } = last
      options.log.error(
        { err: error, alert: 'events', projectId, change: id, table },
        'a change could not be reported',
      )
      await keepProblem(trx, change, error instanceof Error ? error.message : String(error))
    }
  }
  return events
}

const createEvent: CreateEvents = async (trx, change, stored, { sources, publicUrl }) => {
  const source = sources.find(({ table }) => table === stored.relation)
  if (source === undefined) throw new Error(`No source reports changes of ${stored.relation}`)
  const context = { tenant: new Tenant(trx, stored.project_id), publicUrl }
  const created = await source.toEvents(change, context)
  return created.map((event) => toSequencedEvent(stored, event))
}

const createEventUnderSavepoint: CreateEvents = async (trx, change, stored, options) =>
  await transaction<Tables, SequencedEvent[]>(trx, (part) => createEvent(part, change, stored, options))

function toSequencedEvent({ project_id, changed_at }: StoredChange, event: NewEvent): SequencedEvent {
  const { type, subject, data } = event
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > MAX_EVENT_BYTES) throw new RangeError(`The data of ${type} has ${bytes} bytes`)
  return { project: project_id, type, subject, occurredAt: changed_at.toISOString(), data }
}

/**
 * Keeps all changes of the row: a later attempt needs the row as it was before the first of them. The audit
 * log gets their entry now.
 */
async function keepProblem(
  trx: Transaction<Tables>,
  { changes, last }: MergedChange,
  problem: string,
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  await sql`
    update gateway.row_changes set problem = ${problem.slice(0, 2000) || 'unknown'}, is_audited = true
    where project_id = ${last.project_id} and id = any (${ids})`.execute(trx)
}

async function deleteReported(trx: Transaction<Tables>, stored: readonly StoredChange[]): Promise<void> {
  await sql`
    delete from gateway.row_changes c using ${keysOf(stored)}
    where c.project_id = k.project_id and c.id = k.id and c.problem = ''`.execute(trx)
}

/** The rows before and after changes, by the ids of the changes. */
interface Images {
  readonly before: ReadonlyMap<number, object>
  readonly after: ReadonlyMap<number, object>
}

/** Reads the rows before and after changes, with the column types of their tables. */
async function readImages(trx: Transaction<Tables>, changes: readonly MergedChange[]): Promise<Images> {
  const before = new Map<number, object>()
  const after = new Map<number, object>()
  for (const [relation, group] of Map.groupBy(changes, ({ last }) => last.relation)) {
    const firsts = group.map(({ first }) => first)
    const lasts = group.map(({ last }) => last)
    for (const [id, row] of await readColumn(trx, relation, 'before', firsts)) before.set(id, row)
    for (const [id, row] of await readColumn(trx, relation, 'after', lasts)) after.set(id, row)
  }
  return { before, after }
}

/** The row before and after a change. `before` may have the changed columns alone. */
const IMAGES = { before: sql`coalesce(c.after, '{}') || c.before`, after: sql`c.after` }

async function readColumn(
  trx: Transaction<Tables>,
  relation: string,
  column: keyof typeof IMAGES,
  changes: readonly StoredChange[],
): Promise<[number, object][]> {
  const { rows } = await sql<{ change_id: number }>`
    select c.change_id, r.* from ${keysOf(changes)} cross join lateral (
      select c.id as change_id, ${IMAGES[column]} as image from gateway.row_changes c
      where c.project_id = k.project_id and c.id = k.id and c.${sql.ref(column)} is not null
      offset 0) c,
      jsonb_populate_record(null::${sql.table(`gateway.${relation}`)}, c.image) r`.execute(trx)
  return rows.map(({ change_id, ...row }) => [change_id, row])
}

/** The primary keys of changes, as a table `k`. */
function keysOf(changes: readonly StoredChange[]): RawBuilder<unknown> {
  const projects = changes.map(({ project_id }) => project_id)
  const ids = changes.map(({ id }) => id)
  return sql`unnest(${projects}::bigint[], ${ids}::bigint[]) as k (project_id, id)`
}

/** Numbers events within their projects, in the given order, adds their deliveries, and announces them. */
export async function addEvents(
  trx: Transaction<Tables>,
  events: readonly SequencedEvent[],
  addDeliveries?: AddDeliveries,
): Promise<void> {
  if (events.length === 0) return
  const items = JSON.stringify(events.map((event, position) => ({ position, ...event })))
  const { rows } = await sql<AddedEvent>`
    with item as materialized (
      select * from json_to_recordset(${items}::json) as i (position integer, project bigint, type text, subject text,
        "occurredAt" timestamptz, data json)
    ), counted as (
      select project, count(*) as added from item group by project
    ), advanced as (
      insert into gateway.event_counts as e (project_id, newest)
      select project, added from counted order by project
      on conflict (project_id) do update set newest = e.newest + excluded.newest
      returning e.project_id, e.newest
    )
    insert into gateway.events (project_id, sequence, type, subject, occurred_at, data)
    select i.project, a.newest - c.added + row_number() over (partition by i.project order by i.position),
      i.type, i.subject, i."occurredAt", i.data
    from item i
    join counted c on c.project = i.project
    join advanced a on a.project_id = i.project
    returning project_id as owner, sequence as event, type`.execute(trx)
  await addDeliveries?.(trx, rows)
  const projects = [...new Set(events.map(({ project }) => project))]
  for (let start = 0; start < projects.length; start += NOTIFIED_PROJECTS) {
    const payload = JSON.stringify(projects.slice(start, start + NOTIFIED_PROJECTS))
    await sql`select pg_notify(${EVENTS_CHANNEL}, ${payload})`.execute(trx)
  }
}
