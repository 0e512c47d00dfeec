import { isDatabaseError, type Logger, transaction } from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { EventSource, NewEvent, RowChange } from '../../event-source.ts'
import type { Tables } from '../../tables.ts'
import { Tenant } from '../../tenant.ts'
import { MAX_EVENT_BYTES } from './events-store.ts'

export interface SequencerOptions {
  /** Connections of the schema's owner, who reads the rows of all projects. */
  readonly db: Kysely<Tables>
  readonly sources: readonly EventSource[]
  readonly publicUrl: string
  readonly log: Pick<Logger, 'error'>
  /** The most rows that one transaction turns into events. Default 500. */
  readonly batchSize?: number
  /** Adds the deliveries of new events to webhooks, in the same transaction. Default: none. */
  readonly addDeliveries?: AddDeliveries
}

/** Adds the deliveries of events, which are identified by their projects and numbers. */
export type AddDeliveries = (
  trx: Transaction<Tables>,
  events: readonly { readonly owner: number; readonly event: number }[],
) => Promise<void>

/** What a statement of a committed transaction changed of a row, and is not reported yet. */
interface StoredChange {
  readonly id: number
  readonly project_id: number
  readonly relation: string
  readonly transaction: string
  /** Identifies the row in its table. */
  readonly row_key: string
  readonly changed_at: Date
}

/** All that a transaction changed of a row: from what it was before the first of these changes to what it was after the last. */
interface MergedChange {
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

/** The channel on which a transaction announces new events. The payload is a JSON array of ids of projects. */
export const EVENTS_CHANNEL = 'mintmark_gateway_events'

/** The most ids in one payload, which PostgreSQL limits to 8,000 bytes. A transaction can change rows of any number of projects. */
const NOTIFIED_PROJECTS = 300

const BATCH_SIZE = 500

/**
 * Turns committed changes of rows into events and numbers them, in the order of the changes. Numbers are assigned after the changes were
 * committed, by one transaction at a time, so that a reader that has seen number 7 never misses a later event with a smaller number.
 *
 * A transaction stores its changes while it holds the locks of the rows, so that the changes of one subject are in the order of their ids,
 * although a transaction with smaller ids may commit later.
 *
 * @returns The number of changes that were reported. 0 if another process is doing that, or if there are none.
 */
export async function sequenceChanges(options: SequencerOptions): Promise<number> {
  const { db, batchSize = BATCH_SIZE } = options
  if (!(await hasChanges(db))) return 0
  return await transaction(db, async (trx) => {
    if (!(await tryLock(trx))) return 0
    const stored = await listChanges(trx, batchSize)
    if (stored.length === 0) return 0
    const events = await createEvents(trx, mergeChanges(stored), options)
    await addEvents(trx, events, options.addDeliveries)
    const ids = stored.map(({ id }) => id)
    await sql`delete from gateway.row_changes where id = any (${ids}) and problem = ''`.execute(trx)
    return stored.length
  })
}

/** Turns all changes that wait into events. Returns the number of changes that were reported. */
export async function sequenceAllChanges(options: SequencerOptions): Promise<number> {
  let total = 0
  for (;;) {
    const reported = await sequenceChanges(options)
    if (reported === 0) return total
    total += reported
  }
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

/** Lists the first waiting changes with all others of their transactions, in the order of the changes. */
async function listChanges(trx: Transaction<Tables>, limit: number): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select id, project_id, relation, transaction::text, changed_at,
      coalesce(after, before) ->> case relation when 'wallet_info' then 'address' else 'id' end as row_key
    from gateway.row_changes
    where problem = '' and transaction in (
      select transaction from gateway.row_changes where problem = '' order by id limit ${limit})
    order by id`.execute(trx)
  return rows
}

/** Merges the changes that a transaction made to one row. They are in the place of the last one. */
function mergeChanges(stored: readonly StoredChange[]): MergedChange[] {
  const merged = new Map<string, MergedChange>()
  for (const change of stored) {
    const key = [change.transaction, change.project_id, change.relation, change.row_key].join('/')
    const first = merged.get(key)?.first ?? change
    merged.delete(key)
    merged.set(key, { first, last: change })
  }
  return [...merged.values()]
}

/** Creates the events of changes. A change that its source cannot report is kept with its problem, so that it stops no other project. */
async function createEvents(
  trx: Transaction<Tables>,
  changes: readonly MergedChange[],
  { sources, publicUrl, log }: SequencerOptions,
): Promise<SequencedEvent[]> {
  const images = await readImages(trx, changes)
  const events: SequencedEvent[] = []
  for (const { first, last } of changes) {
    const { id, project_id: project, relation } = last
    const before = images.before.get(first.id)
    const after = images.after.get(id)
    if (before === undefined && after === undefined) continue
    const source = sources.find(({ table }) => table === relation)
    try {
      if (source === undefined) throw new Error(`No source reports changes of ${relation}`)
      const context = { tenant: new Tenant(trx, project), publicUrl }
      // The images were read with the columns of the source's table.
      const created = await source.toEvents({ before, after } as RowChange<never>, context)
      events.push(...created.map((event) => toSequencedEvent(last, event)))
    } catch (error) {
      if (isDatabaseError(error)) throw error
      log.error({ err: error, change: id, table: relation }, 'a change could not be reported')
      await keepProblem(trx, last, error instanceof Error ? error.message : String(error))
    }
  }
  return events
}

function toSequencedEvent({ project_id, changed_at }: StoredChange, event: NewEvent): SequencedEvent {
  const { type, subject, data } = event
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes > MAX_EVENT_BYTES) throw new RangeError(`The data of ${type} has ${bytes} bytes`)
  return { project: project_id, type, subject, occurredAt: changed_at.toISOString(), data }
}

async function keepProblem(trx: Transaction<Tables>, { id }: StoredChange, problem: string): Promise<void> {
  await sql`update gateway.row_changes set problem = ${problem.slice(0, 2000)} where id = ${id}`.execute(trx)
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
    const firstIds = group.map(({ first }) => first.id)
    const lastIds = group.map(({ last }) => last.id)
    for (const [id, row] of await readColumn(trx, relation, 'before', firstIds)) before.set(id, row)
    for (const [id, row] of await readColumn(trx, relation, 'after', lastIds)) after.set(id, row)
  }
  return { before, after }
}

async function readColumn(
  trx: Transaction<Tables>,
  relation: string,
  column: 'before' | 'after',
  ids: readonly number[],
): Promise<[number, object][]> {
  const { rows } = await sql<{ change_id: number }>`
    select c.id as change_id, r.* from gateway.row_changes c,
      jsonb_populate_record(null::${sql.table(`gateway.${relation}`)}, c.${sql.ref(column)}) r
    where c.id = any (${ids}) and c.${sql.ref(column)} is not null`.execute(trx)
  return rows.map(({ change_id, ...row }) => [change_id, row])
}

/** Numbers events within their projects, in the given order, adds their deliveries, and announces them. */
export async function addEvents(
  trx: Transaction<Tables>,
  events: readonly SequencedEvent[],
  addDeliveries?: AddDeliveries,
): Promise<void> {
  if (events.length === 0) return
  const items = JSON.stringify(events.map((event, position) => ({ position, ...event })))
  const { rows } = await sql<{ owner: number; event: number }>`
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
    returning project_id as owner, sequence as event`.execute(trx)
  await addDeliveries?.(trx, rows)
  const projects = [...new Set(events.map(({ project }) => project))]
  for (let start = 0; start < projects.length; start += NOTIFIED_PROJECTS) {
    const payload = JSON.stringify(projects.slice(start, start + NOTIFIED_PROJECTS))
    await sql`select pg_notify(${EVENTS_CHANNEL}, ${payload})`.execute(trx)
  }
}
