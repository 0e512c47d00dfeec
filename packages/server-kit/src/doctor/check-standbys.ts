import type { DatabaseReader } from './database-reader.ts'
import { type Outcome, reportOk, reportWarning } from './finding.ts'

/** A server that copies the changes of this one. */
export interface Standby {
  readonly name: string
  /** Null if the user may not see it. */
  readonly syncState: string | null
}

/** What decides whether a commit waits for standbys. */
export interface Replication {
  readonly synchronousNames: string
  readonly synchronousCommit: string
  readonly standbys: readonly Standby[]
}

/** Checks that what was confirmed to callers is also on each standby, so that its promotion loses nothing. */
export async function checkStandbys(db: DatabaseReader): Promise<Outcome[]> {
  // Copies of files and archives of changes, and subscribers of single tables, are not promoted.
  const standbys = await db.query<Standby>(`
    select coalesce(nullif(application_name, ''), host(client_addr), 'pid ' || pid) as name,
      sync_state as "syncState"
    from pg_stat_replication replication
    where coalesce(state, '') <> 'backup'
      and coalesce(application_name, '') not in ('pg_basebackup', 'pg_receivewal')
      and not exists (select from pg_replication_slots slot
        where slot.active_pid = replication.pid and slot.slot_type = 'logical')
    order by name`)
  const [settings] = await db.query<Omit<Replication, 'standbys'>>(`
    select current_setting('synchronous_standby_names') as "synchronousNames",
      current_setting('synchronous_commit') as "synchronousCommit"`)
  return settings === undefined ? [] : describeStandbys({ ...settings, standbys })
}

export function describeStandbys({ synchronousNames, synchronousCommit, standbys }: Replication): Outcome[] {
  if (standbys.length === 0) return []
  const names = standbys.map(({ name }) => name).join(', ')
  if (/^(?:local|off)$/.test(synchronousCommit))
    return [
      reportWarning(
        `synchronous_commit is ${synchronousCommit}, so no standby is synchronous (${names}): its promotion loses what was confirmed to callers`,
        "Run alter system set synchronous_commit = 'on', then select pg_reload_conf()",
      ),
    ]
  if (synchronousNames !== '' && standbys.some(({ syncState }) => syncState === null))
    return [
      reportWarning(
        `The user of DATABASE_URL may not see whether the standbys are synchronous: ${names}`,
        'Grant pg_monitor to the user for this check, and run doctor again',
      ),
    ]
  const late = standbys.filter(({ syncState }) => syncState === 'async' || syncState === null)
  if (late.length === 0) return [reportOk(`The standbys are synchronous: ${names}`)]
  return [
    reportWarning(
      `A standby is not synchronous (${late.map(({ name }) => name).join(', ')}): its promotion loses what was confirmed to callers in the last moments`,
      'Name it in synchronous_standby_names, or never promote it while another standby is synchronous',
    ),
  ]
}
