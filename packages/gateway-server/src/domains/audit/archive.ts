import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CommandFailedError } from '@mintmark/server-kit'
import type pg from 'pg'
import { dropNumbered, listOldRows, type NumberedTable, type OldRows } from '../../database/drop-numbered.ts'
import { AUDIT_ENTRIES, startOfPeriod } from '../../database/partitions.ts'
import type { Db } from '../../database/tables.ts'
import { type Entry, formatEntry } from './entry-hash.ts'
import { type AuditHead, findProblem, streamEntries } from './verify-audit.ts'

const NUMBERED_ENTRIES: NumberedTable = { ...AUDIT_ENTRIES, number: 'id', heads: 'audit_heads' }

/** The entries of a project in an archive, which follow each other. */
export interface ArchivedLog {
  /** The entry before the first of them. The number is 0 if the log begins here. */
  readonly previous: AuditHead
  readonly last: AuditHead
}

/**
 * Writes the entries of all projects that were recorded before the month of a time to a file, verifies the
 * file by reading it, and drops these entries. It can be interrupted and repeated at any point: the file has
 * its name once it is complete, and nothing is dropped before.
 *
 * @returns What was archived, by project. Empty if there were no such entries.
 */
export async function archiveAudit(
  { db, pool }: { readonly db: Db; readonly pool: pg.Pool },
  time: Date,
  file: string,
): Promise<ReadonlyMap<number, ArchivedLog>> {
  const old = await listOldRows(pool, NUMBERED_ENTRIES, startOfPeriod(AUDIT_ENTRIES.period, time))
  if (old.length === 0) return new Map()
  const exists = await access(file).then(
    () => true,
    () => false,
  )
  const written = exists ? file : `${file}.partial`
  if (!exists) await pipeline(listLines(db, old), createWriteStream(written, { flush: true }))
  const logs = await verifyArchive(written)
  if (!exists) await renameDurably(written, file)
  await dropNumbered(pool, NUMBERED_ENTRIES, time, async (client, dropped) => {
    if (!(await storeAnchors(client, dropped, logs)))
      throw new CommandFailedError(
        `${file} does not have exactly the entries that would be dropped. Move it away, and run the command again`,
      )
  })
  return logs
}

async function* listLines(db: Db, old: readonly OldRows[]): AsyncGenerator<string> {
  for (const { project, last } of old)
    for await (const entry of streamEntries(db, project, last)) yield `${formatEntry(entry)}\n`
}

/** Renames a file. The new name survives a crash of the machine. */
async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  const folder = await open(dirname(to), 'r')
  await folder.sync()
  await folder.close()
}

/**
 * Stores where the kept logs begin. Returns false unless the archive has exactly the entries that are about
 * to be dropped: those after the earlier archives, up to the last one of each project.
 */
async function storeAnchors(
  client: pg.PoolClient,
  dropped: readonly OldRows[],
  logs: ReadonlyMap<number, ArchivedLog>,
): Promise<boolean> {
  const rows = dropped.map(({ project, last }) => ({ project, dropped: last, ...logs.get(project) }))
  const { rowCount } = await client.query(
    `update gateway.audit_heads h set archived_sequence = e.id, archived_hash = e.hash
     from json_to_recordset($1) as a (project bigint, dropped bigint, previous json, last json)
     join gateway.audit_entries e on e.project_id = a.project and e.id = a.dropped
     where h.project_id = a.project and encode(e.hash, 'hex') = a.last ->> 'hash' and e.id = (a.last ->> 'sequence')::bigint
       and h.archived_sequence = (a.previous ->> 'sequence')::bigint
       and encode(h.archived_hash, 'hex') = a.previous ->> 'hash'`,
    [JSON.stringify(rows)],
  )
  return rowCount === dropped.length && dropped.length === logs.size
}

/**
 * Verifies the entries of an archive, or of several one after the other: that none was changed, moved,
 * removed or inserted between the first and the last one of its project.
 *
 * @param expected An earlier head of a project, which an archive that has this number must contain.
 * @throws CommandFailedError that names the line of the first wrong entry.
 */
export async function verifyArchive(
  file: string,
  expected?: { readonly project: number; readonly head: AuditHead },
): Promise<ReadonlyMap<number, ArchivedLog>> {
  const logs = new Map<number, ArchivedLog>()
  let line = 0
  for await (const text of readLines(file)) {
    line += 1
    const entry = parseEntry(text)
    const { project = 0, sequence = 1, hash = '', previousHash = '' } = entry ?? {}
    const previous = logs.get(project)?.previous ?? {
      sequence: sequence - 1,
      // The first entry of a log follows none.
      hash: sequence === 1 ? '' : previousHash,
    }
    const head = expected?.project === project ? expected.head : undefined
    const reason =
      entry === undefined
        ? 'The line is not that of an entry'
        : findProblem(entry, logs.get(project)?.last ?? previous, head)
    if (reason !== undefined) throw new CommandFailedError(`${file}, line ${line}: ${reason}`)
    logs.set(project, { previous, last: { sequence, hash } })
  }
  return logs
}

/** Reads the lines of a file. JSON may contain other line separators unescaped. */
async function* readLines(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Parses an entry. Undefined if it would be formatted as another text. */
function parseEntry(text: string): Entry | undefined {
  // The quotes within the values before it are escaped.
  const at = text.indexOf(CHANGES)
  try {
    const fields: Omit<Entry, 'changes'> = JSON.parse(`${text.slice(0, at)}}`)
    const entry = { ...fields, changes: text.slice(at + CHANGES.length, -1) }
    return formatEntry(entry) === text ? entry : undefined
  } catch {
    return undefined
  }
}
const CHANGES = ',"changes":'
