import { sql } from 'kysely'
import type pg from 'pg'
import {
  changePartitions,
  createPartitions,
  dropPartitions,
  hasRowsBefore,
  partitionAt,
  USED_SIGNATURES,
} from '../database/partitions.ts'
import type { Db } from '../database/tables.ts'

/**
 * Stores the signature of a write of a key in its own transaction. Returns false when any process has stored it
 * before.
 *
 * The commit does not wait for the disk. The log of PostgreSQL is in the order of commits, so the commit of
 * the write itself, which waits, includes that of its signature. A crash in between loses both.
 */
export async function rememberSignature(
  db: Db,
  { project, id }: { readonly project: number; readonly id: number },
  signature: string,
  timestamp: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into gateway.used_signatures (project_id, key_id, digest, signed_at)
    select ${project}::bigint, ${id}::bigint, sha256(convert_to(${signature}, 'UTF8')), to_timestamp(${timestamp}::double precision / 1000)
    where set_config('synchronous_commit', 'off', true) = 'off'
    on conflict do nothing`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Creates the hourly partitions of the next hours and drops those that no accepted timestamp belongs to.
 * Requires the owner's rights, not the servers' role.
 */
export async function maintainSignaturePartitions(pool: pg.Pool, now = Date.now()): Promise<void> {
  await createPartitions(pool, USED_SIGNATURES, now)
  const oldest = partitionAt(USED_SIGNATURES, new Date(now), -USED_SIGNATURES.behind)
  if (!(await hasRowsBefore(pool, USED_SIGNATURES, oldest.from))) return
  await changePartitions(pool, (client) => dropPartitions(client, USED_SIGNATURES, oldest.from))
}
