import type pg from 'pg'
import { segmentedLists, selectKeys } from '../migrations/list-segments.ts'
import { runWithLock } from './advisory-lock.ts'

export interface SegmentSizes {
  /**
   * How many rows a segment has when it is created. It is divided when it has twice as many. Default: 1000.
   */
  readonly segmentRows?: number
  /**
   * How many rows one transaction counts, or how many changes it adds. Rows with equal keys are counted
   * together. Default: 50,000.
   */
  readonly partRows?: number
  /** How many rows and changes a run reads before it leaves the rest to the next one. Default: a million. */
  readonly runRows?: number
}

type Sizes = Required<SegmentSizes>

interface List {
  readonly project_id: number
  readonly relation: string
  readonly field: string
  readonly value: string
}

/** A segment that is divided. */
interface LongSegment extends List {
  readonly start: string
  /** Null if its rows are not counted yet. */
  readonly row_count: number | null
  readonly recorded_from: string | null
  /** The first key of the next segment. Null for the last one. */
  readonly next: string | null
}

/** The id of the project whose list was counted last. The next list is that of a project with a higher id. */
export interface ProjectTurn {
  after: number
}

/**
 * Adds recorded changes of lists to their segments, divides long segments, removes empty ones, and counts
 * requested lists, of one project after the other: no project delays the others by having its lists counted
 * again and again. Works in short transactions, each of which a reader sees whole or not at all, and
 * continues where an earlier run ended. One process at a time runs it. Requires the owner's rights.
 *
 * @param turn Is updated. Runs with the same object share the turns.
 */
export async function updateListSegments(
  pool: pg.Pool,
  { segmentRows = 1000, partRows = 50_000, runRows = 1_000_000 }: SegmentSizes = {},
  turn: ProjectTurn = { after: 0 },
): Promise<void> {
  const sizes = { segmentRows, partRows, runRows }
  const failures: ListFailure[] = []
  // Other jobs and the metrics use the connection between two steps.
  const runStep = async (step: (client: pg.PoolClient) => Promise<number | undefined>) =>
    await runWithLock(pool, 'gateway.list_segments', step)
  let rows = 0
  let changes = await runStep((client) => inSnapshot(client, () => applyResets(client)))
  if (changes === undefined) return
  do {
    changes = await runStep((client) => inSnapshot(client, () => addChanges(client, sizes.partRows)))
    if (changes === undefined) return
    rows += changes
  } while (changes === sizes.partRows && rows < sizes.runRows)
  await runStep(startRecords)
  while (rows < sizes.runRows) {
    const read = await runStep((client) => divideNext(client, { sizes, failures, turn }))
    if (read === undefined) break
    // Each list takes time, however short it is.
    rows += Math.max(read, sizes.segmentRows)
  }
  if (failures.length > 0) throw createRunError(failures)
}

/**
 * For how long a list that nobody counts keeps its segments, which cost its writers a record of each change.
 */
const UNUSED_DAYS = 30

/**
 * Deletes the segments of lists that nobody has used for 30 days, and records of all but the last use. Does
 * nothing while another job counts lists. Requires the owner's rights.
 */
export async function forgetUnusedLists(pool: pg.Pool): Promise<void> {
  await runWithLock(pool, 'gateway.list_segments', (client) => client.query(FORGET_UNUSED, [UNUSED_DAYS]))
}

const FORGET_UNUSED = `
  with list as materialized (
    select project_id, relation, field, value, max(used_on) as last_use,
      max(used_on) < (now() at time zone 'UTC')::date - $1::int as is_unused
    from gateway.list_segment_uses group by project_id, relation, field, value
  ), deleted as (
    delete from gateway.list_segment_uses u using list l
    where (u.project_id, u.relation, u.field, u.value) = (l.project_id, l.relation, l.field, l.value)
      and (l.is_unused or u.used_on < l.last_use)
  )
  delete from gateway.list_segments s using list l
  where (s.project_id, s.relation, s.field, s.value) = (l.project_id, l.relation, l.field, l.value) and l.is_unused`

/** A list that could not be counted in this run. */
interface ListFailure {
  readonly list: List
  readonly error: unknown
}

function createRunError([first, ...others]: readonly ListFailure[]): Error {
  const { project_id, relation, field, value } = first?.list ?? {}
  const reason = first?.error instanceof Error ? first.error.message : String(first?.error)
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const list = `${relation} (${field}) ${value} of project ${project_id}`
  return new Error(`Could not count the list ${list}${more}: ${reason}`, { cause: first?.error })
}

const BEGIN_SNAPSHOT = 'begin isolation level repeatable read'

/**
 * Runs work in a transaction with one snapshot. Changes are visible in the same snapshots as the rows that
 * they are of.
 */
async function inSnapshot<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query(BEGIN_SNAPSHOT)
  const result = await work()
  await client.query('commit')
  return result
}

/**
 * Deletes changes, at most `limit`, and adds them to their segments. Those of rows that are not counted yet,
 * and of lists without segments, are not needed.
 */
async function addChanges(client: pg.PoolClient, limit: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(ADD_CHANGES, [limit])
  return rows[0]?.count ?? 0
}

const ADD_CHANGES = `
  with taken as (
    delete from gateway.list_segment_changes where ctid = any(array(select ctid from gateway.list_segment_changes limit $1))
    returning project_id, relation, field, value, key, change
  ), placed as (
    select t.project_id, t.relation, t.field, t.value, s.start, sum(t.change)::bigint as change
    from taken t cross join lateral (
      select start from gateway.list_segments s
      where s.project_id = t.project_id and s.relation = t.relation and s.field = t.field and s.value = t.value and s.start <= t.key
      order by start desc limit 1) s
    group by t.project_id, t.relation, t.field, t.value, s.start
  ), emptied as (
    delete from gateway.list_segments s using placed p
    where s.project_id = p.project_id and s.relation = p.relation and s.field = p.field and s.value = p.value and s.start = p.start
      and s.start > 0 and s.row_count + p.change = 0
  ), updated as (
    update gateway.list_segments s set row_count = s.row_count + p.change from placed p
    where s.project_id = p.project_id and s.relation = p.relation and s.field = p.field and s.value = p.value and s.start = p.start
      and p.change <> 0 and s.row_count is not null and not (s.start > 0 and s.row_count + p.change = 0)
  )
  select count(*)::int as count from taken`

/**
 * Has lists counted again whose rows changed without a record. Other segments of a list whose first one is
 * not counted are those of an earlier request. Returns the number of lists.
 */
async function applyResets(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query(APPLY_RESETS)
  return rowCount ?? 0
}

const APPLY_RESETS = `
  with taken as (delete from gateway.list_segment_resets returning project_id, relation)
  update gateway.list_segments s set row_count = null, recorded_from = null
  from (select distinct project_id, relation from taken) as reset
  where s.project_id = reset.project_id and s.relation = reset.relation and s.start = 0`

/**
 * Stores the transaction number from which on all changes of a requested list are recorded. Writers that do
 * not see a request have begun before this statement, so they have lower transaction numbers. The list is
 * counted when they have ended. Numbers in the future are those of a server whose database was restored here.
 */
async function startRecords(client: pg.PoolClient): Promise<number> {
  const { rowCount } = await client.query(START_RECORDS)
  return rowCount ?? 0
}

// The first condition is that of the index.
const START_RECORDS = `
  update gateway.list_segments set recorded_from = pg_current_xact_id()
  where (row_count is null or row_count > max_rows) and row_count is null
    and (recorded_from is null or recorded_from >= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Finds a segment that is too long or not counted yet, of a list that this version knows and that has not
 * failed in this run, and of a project with a higher id than the given one. A list whose first segment is not counted was just requested: its other segments are
 * those of an earlier request, and are counted with the first one.
 */
const FIND_LONG = `
  select s.project_id, s.relation, s.field, s.value, s.start, s.row_count, s.recorded_from::text, (
    select min(n.start) from gateway.list_segments n
    where n.project_id = s.project_id and n.relation = s.relation and n.field = s.field and n.value = s.value and n.start > s.start
      and not (s.start = 0 and s.row_count is null)) as next
  from gateway.list_segments s
  where (s.row_count is null or s.row_count > s.max_rows)
    and (s.row_count is not null or s.recorded_from <= pg_snapshot_xmin(pg_current_snapshot()))
    and (s.relation, s.field) in (select * from unnest($1::text[], $2::text[]))
    and (s.project_id, s.relation, s.field, s.value) not in (select * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]))
    and s.project_id > $7::bigint
  order by s.project_id, s.relation, s.field, s.value, s.start limit 1`

/** Finds a segment of the next project. After the last project, it is the turn of the first one. */
async function findLong(
  client: pg.PoolClient,
  failures: readonly ListFailure[],
  turn: ProjectTurn,
): Promise<LongSegment | undefined> {
  const failed = failures.map(({ list }) => list)
  const { rows } = await client.query<LongSegment>(FIND_LONG, [
    segmentedLists.map(({ relation }) => relation),
    segmentedLists.map(({ field }) => field),
    failed.map(({ project_id }) => project_id),
    failed.map(({ relation }) => relation),
    failed.map(({ field }) => field),
    failed.map(({ value }) => value),
    turn.after,
  ])
  const [segment] = rows
  if (segment === undefined && turn.after > 0) {
    turn.after = 0
    return findLong(client, failures, turn)
  }
  if (segment !== undefined) turn.after = segment.project_id
  return segment
}

/**
 * Counts the first rows of a segment that is too long or not counted yet, in a transaction. Returns their
 * number, or undefined if there is no such segment. An error is added to `failures`, so that the other lists
 * are counted.
 */
async function divideNext(
  client: pg.PoolClient,
  { sizes, failures, turn }: { sizes: Sizes; failures: ListFailure[]; turn: ProjectTurn },
): Promise<number | undefined> {
  await client.query(BEGIN_SNAPSHOT)
  const segment = await findLong(client, failures, turn)
  try {
    const read = segment && (await divide(client, segment, sizes))
    await client.query('commit')
    return read
  } catch (error) {
    // A closed connection ends the run.
    await client.query('rollback').catch(() => Promise.reject(error))
    if (segment === undefined) throw error
    failures.push({ list: segment, error })
    return 0
  }
}

async function divide(client: pg.PoolClient, segment: LongSegment, sizes: Sizes): Promise<number> {
  const { project_id, relation, field, value, start, next, recorded_from } = segment
  const list = [project_id, relation, field, value]
  // Functions that select keys read the rows of the connection's project.
  await client.query("select set_config('mintmark.project', $1::text, true)", [String(project_id)])
  const isInSegment = (key: string) => `project_id = $1 and relation = $2 and field = $3 and value = $4
      and ${key} >= $5::numeric and ($6::numeric is null or ${key} < $6::numeric)`
  const changed = await client.query<{ change: number }>(
    `with taken as (delete from gateway.list_segment_changes where ${isInSegment('key')} returning change)
     select coalesce(sum(change), 0)::bigint as change from taken`,
    [...list, start, next],
  )
  await client.query(`delete from gateway.list_segments where ${isInSegment('start')}`, [
    ...list,
    start,
    next,
  ])
  const keys = selectKeys(
    {
      relation,
      field,
      value,
      project: '$1',
      start: '$5::numeric',
      next: '$6::numeric',
      limit: '$8::bigint + 1',
    },
    client.escapeLiteral.bind(client),
  )
  const total = segment.row_count === null ? null : segment.row_count + (changed.rows[0]?.change ?? 0)
  await client.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
  const counted = await client.query<{ count: number }>(createInsert(keys), [
    ...list,
    start,
    next,
    sizes.segmentRows,
    sizes.partRows,
    total,
    recorded_from,
  ])
  return counted.rows[0]?.count ?? 0
}

/**
 * Inserts the segments of the first rows of a segment, and one of the others if there are more. Rows with
 * equal keys stay together.
 */
const createInsert = (keys: string) => `
  with counted as materialized (
    select key, position, rank() over (order by position) - 1 as place
    from (${keys} order by position fetch first ($8::bigint) rows with ties) as keys
  ), part as (
    select place / $7::bigint as number, min(key) as start, count(*) as row_count from counted group by 1
  ), rest as (
    select key as start from (${keys}) as keys
    where position > (select max(position) from counted) order by position limit 1
  ), inserted as (
    insert into gateway.list_segments (project_id, relation, field, value, start, row_count, max_rows, recorded_from)
    select $1::bigint, $2, $3, $4, $5::numeric, coalesce((select row_count from part where number = 0), 0),
      2 * greatest($7::bigint, (select row_count from part where number = 0)), null::xid8
    union all
    select $1::bigint, $2, $3, $4, start, row_count, 2 * greatest($7::bigint, row_count), null::xid8 from part where number > 0
    union all
    -- A total that has missed changes is counted anew.
    select $1::bigint, $2, $3, $4, start, case when $9::bigint > total.counted then $9::bigint - total.counted end, 2 * $7::bigint, $10::xid8
    from rest, (select count(*) as counted from counted) as total
  )
  select count(*)::int as count from counted`
