import type pg from 'pg'
import { selectKeys } from '../migrations/list-segments.ts'
import { runWithLock } from './advisory-lock.ts'

/** How many rows a segment has when it is created. It is divided when it has twice as many. */
const SEGMENT_ROWS = 1000

interface List {
  readonly project_id: number
  readonly relation: string
  readonly field: string
  readonly value: string
}

/** A segment that has changed. One without a first key is a list that has no segments yet. */
interface ChangedSegment extends List {
  readonly start: number | null
  readonly row_count: number
}

/**
 * Adds recorded changes of lists to their segments, divides long segments and removes empty ones. Counts the lists that have none yet. A reader sees
 * all changes of a run or none of them. One process at a time runs it. Requires the owner's rights.
 */
export async function updateListSegments(
  pool: pg.Pool,
  { segmentRows = SEGMENT_ROWS }: { readonly segmentRows?: number } = {},
): Promise<void> {
  await runWithLock(pool, 'gateway.list_segments', (client) => updateAll(client, segmentRows))
}

/** Updates all segments. A failure leaves the transaction open. */
async function updateAll(client: pg.PoolClient, segmentRows: number): Promise<void> {
  // Changes are visible in the same snapshots as the rows that they are of. So a segment that is counted has exactly the changes that were deleted.
  await client.query('begin isolation level repeatable read')
  const { rows } = await client.query<ChangedSegment>(ADD_CHANGES, [2 * segmentRows])
  for (const segment of rows) await countSegment(client, segment, segmentRows)
  await client.query('commit')
}

/** Deletes all changes and adds them to their segments. Returns long segments and lists without segments. */
const ADD_CHANGES = `
  with taken as (
    delete from gateway.list_segment_changes returning project_id, relation, field, value, key, change
  ), placed as (
    select t.project_id, t.relation, t.field, t.value, s.start, sum(t.change)::bigint as change
    from taken t left join lateral (
      select start from gateway.list_segments s
      where s.project_id = t.project_id and s.relation = t.relation and s.field = t.field and s.value = t.value and s.start <= t.key
      order by start desc limit 1) s on true
    group by t.project_id, t.relation, t.field, t.value, s.start
  ), emptied as (
    delete from gateway.list_segments s using placed p
    where s.project_id = p.project_id and s.relation = p.relation and s.field = p.field and s.value = p.value and s.start = p.start
      and s.start > 0 and s.row_count + p.change = 0
  ), updated as (
    update gateway.list_segments s set row_count = s.row_count + p.change from placed p
    where s.project_id = p.project_id and s.relation = p.relation and s.field = p.field and s.value = p.value and s.start = p.start
      and p.change <> 0 and not (s.start > 0 and s.row_count + p.change = 0)
    returning s.*
  )
  select project_id, relation, field, value, start, row_count from updated where row_count > $1::bigint
  union all
  select project_id, relation, field, value, null, 0 from placed where start is null`

/** Counts the rows of a segment, or of a list without segments, and divides it. Rows with equal keys stay together. */
async function countSegment(
  client: pg.PoolClient,
  segment: ChangedSegment,
  segmentRows: number,
): Promise<void> {
  const { project_id, relation, field, value } = segment
  const keys = selectKeys({
    relation,
    field,
    value: client.escapeLiteral(value),
    project: '$1',
    start: '$5::bigint',
    next: '$6::bigint',
  })
  if (keys === undefined) return
  const names = [project_id, relation, field, value, segment.start ?? 0]
  const { rows } = await client.query<{ next: number | null }>(
    `select min(start) as next from gateway.list_segments
     where project_id = $1 and relation = $2 and field = $3 and value = $4 and start > $5`,
    names,
  )
  await client.query(
    `delete from gateway.list_segments
     where project_id = $1 and relation = $2 and field = $3 and value = $4 and start = $5`,
    names,
  )
  await client.query(
    `insert into gateway.list_segments (project_id, relation, field, value, start, row_count)
     select $1, $2, $3, $4, case when part = 0 then $5::bigint else min(key) end, count(key)
     from (
       select 0 as part, null::bigint as key
       union all select place / $7::bigint, key from (${keys}) as keys
     ) as parts group by part`,
    [...names, rows[0]?.next ?? null, segmentRows],
  )
}
