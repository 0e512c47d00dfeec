import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { AddAuditEntries, CommittedChange } from '../events/sequencer.ts'
import { formatEntry, hashEntry, OCCURRED_AT_FORMAT } from './entry-hash.ts'

/**
 * Columns whose values are secrets, sealed or not, in any table: what no operation returns, or not to everybody
 * who reads the log, such as the codes of cards. The log has only that they changed.
 */
const REDACTED_COLUMNS = [
  'access_token',
  'backup_codes',
  'id_token',
  'password',
  'previous_secret',
  'qr_code',
  'qr_code_url',
  'refresh_token',
  'requested_card',
  'reserve_price',
  'sealed',
  'secret',
  'signature',
]
const REDACTED = '[redacted]'
/** Columns whose values follow from other columns, or that the entry has itself, in any table. */
const LEFT_OUT_COLUMNS = [
  'is_exhausted',
  'price_key',
  'project_id',
  'time_due_at',
  'total_key',
  'unit_price',
  'updated_at',
]
/** The actor of changes from before the column of actors. */
const UNKNOWN_ACTOR = 'unknown'

/** A change of a row, described for the log. */
interface DescribedChange {
  readonly project: number
  readonly occurredAt: string
  readonly actor: string
  readonly recordType: string
  readonly recordId: string
  readonly action: string
  readonly changes: string
}

/**
 * Adds one entry for each change, numbered and chained within its project. The sequencer calls it in its
 * transaction: one at a time, so that the numbers have no gaps and each entry follows the one before, and
 * never for a change that is rolled back.
 */
export const addAuditEntries: AddAuditEntries = async (trx, changes) => {
  const described = await describeChanges(trx, changes)
  const heads = await readHeads(trx, [...new Set(changes.map(({ project }) => project))])
  const entries = described.map((change) => {
    const { sequence: previous, hash: previousHash } = heads.get(change.project) ?? { sequence: 0, hash: '' }
    const entry = { ...change, sequence: previous + 1, previousHash }
    const hash = hashEntry(entry)
    heads.set(change.project, { sequence: entry.sequence, hash })
    return { ...entry, hash }
  })
  await sql`
    with entry as materialized (
      select * from json_to_recordset(${`[${entries.map(formatEntry).join()}]`}::json) as e (project bigint, sequence bigint,
        "occurredAt" timestamptz, actor text, "recordType" text, "recordId" text, action text, changes json,
        "previousHash" text, hash text)
    ), head as (
      insert into gateway.audit_heads (project_id, sequence, hash)
      select distinct on (project) project, sequence, decode(hash, 'hex') from entry order by project, sequence desc
      on conflict (project_id) do update set sequence = excluded.sequence, hash = excluded.hash
    )
    insert into gateway.audit_entries (project_id, id, occurred_at, actor, record_type, record_id, action, changes,
      previous_hash, hash)
    select project, sequence, "occurredAt", actor, "recordType", "recordId", action, changes, decode("previousHash", 'hex'),
      decode(hash, 'hex')
    from entry`.execute(trx)
}

interface Head {
  readonly sequence: number
  readonly hash: string
}

async function readHeads(trx: Transaction<Tables>, projects: readonly number[]): Promise<Map<number, Head>> {
  const { rows } = await sql<Head & { project_id: number }>`
    select project_id, sequence, encode(hash, 'hex') as hash from gateway.audit_heads where project_id = any (${projects}::bigint[])`.execute(
    trx,
  )
  return new Map(rows.map(({ project_id, ...head }) => [project_id, head]))
}

/**
 * Describes changes: what the row was before the first and after the last statement of the transaction. A row
 * that the transaction inserted and deleted again is described as deleted, with what it was. A secret of an
 * API key is a part of its key.
 *
 * `offset 0` is an optimization fence: each row is looked up by index, whatever the statistics say. `|| '{}'`
 * decompresses an image once and not for each column.
 */
async function describeChanges(
  trx: Transaction<Tables>,
  changes: readonly CommittedChange[],
): Promise<DescribedChange[]> {
  const projects = changes.map(({ project }) => project)
  const firsts = changes.map(({ first }) => first)
  const lasts = changes.map(({ last }) => last)
  const { rows } = await sql<DescribedChange>`
    select l.project_id as project, to_char(l.changed_at at time zone 'UTC', ${OCCURRED_AT_FORMAT}) as "occurredAt",
      coalesce(nullif(l.actor, ''), ${UNKNOWN_ACTOR}) as actor,
      case when i.is_secret then 'api_keys' else l.relation end as "recordType",
      case when i.is_secret then coalesce(i.after, i.before) ->> 'key_id' else l.row_key end as "recordId",
      case when i.is_secret then 'UPDATED' when i.after is null then 'DELETED' when i.before is null then 'CREATED'
        else 'UPDATED' end as action,
      d.changes
    from unnest(${projects}::bigint[], ${firsts}::bigint[], ${lasts}::bigint[])
      with ordinality as k (project_id, first, last, position)
    cross join lateral (
      select coalesce(c.after, '{}') || c.before as before
      from gateway.row_changes c where c.project_id = k.project_id and c.id = k.first offset 0) f
    cross join lateral (
      select * from gateway.row_changes c where c.project_id = k.project_id and c.id = k.last offset 0) l
    cross join lateral (
      select case when f.before is null and l.after is null then l.before else f.before end || '{}' as before,
        l.after || '{}' as after, l.relation = 'api_key_secrets' as is_secret offset 0) i
    cross join lateral ${CHANGED_COLUMNS} d
    order by k.position`.execute(trx)
  return rows
}

const shown = (image: string) =>
  sql`case when e.key = any (${REDACTED_COLUMNS}) then to_jsonb(${REDACTED}::text) else ${sql.raw(image)} -> e.key end`

/** The empty values. Those of secrets are not left out: it would show that there is no reserve price. */
const EMPTY_VALUES = sql`array['""', '0', 'false', '[]', '{}']::jsonb[]`

/**
 * The columns that differ in the images of a row, `i`. A created row has no value before, a deleted one none
 * after, and their empty columns are left out.
 */
const CHANGED_COLUMNS: RawBuilder<unknown> = sql`(
  select coalesce(jsonb_object_agg(
    case when i.is_secret then 'secret.' else '' end || e.key,
    case when i.before is null then jsonb_build_object('after', ${shown('i.after')})
      when i.after is null then jsonb_build_object('before', ${shown('i.before')})
      else jsonb_build_object('before', ${shown('i.before')}, 'after', ${shown('i.after')}) end), '{}')::text as changes
  from jsonb_each(coalesce(i.after, i.before)) e
  where e.key <> all (${LEFT_OUT_COLUMNS}) and (e.key <> 'id' or i.is_secret) and case
    when i.before is null or i.after is null
      then e.value <> 'null' and (e.key = any (${REDACTED_COLUMNS}) or e.value <> all (${EMPTY_VALUES}))
    else coalesce(i.before -> e.key, 'null') <> coalesce(i.after -> e.key, 'null') end)`
