import { existsSync } from 'node:fs'
import { type Command, CommandFailedError, ConfigurationError, readPageQuery } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { startOfPeriod } from '../database/partitions.ts'
import type { Db } from '../database/tables.ts'
import { Tenant } from '../database/tenant.ts'
import { type ArchivedLog, archiveAudit, verifyArchive } from '../domains/audit/archive.ts'
import { AUDIT_ACTIONS } from '../domains/audit/audit-handlers.ts'
import { toAuditEntry } from '../domains/audit/audit-record.ts'
import { AUDIT_ORDERS, listAuditEntries } from '../domains/audit/audit-store.ts'
import { formatEntry } from '../domains/audit/entry-hash.ts'
import {
  type AuditHead,
  type AuditProblem,
  type AuditVerification,
  readBounds,
  streamEntries,
  verifyAudit,
} from '../domains/audit/verify-audit.ts'
import { print, withDatabase } from './command-database.ts'

/** The most entries that are listed. */
const LISTED_ENTRIES = 100

/** Commands for the audit log. */
export const auditCommands: Record<string, Command> = {
  'audit verify': {
    summary:
      'Verifies the audit logs of all projects, or that of --project, and prints the number and the hash of the newest entry of each. Keep them elsewhere: --expect compares a log with an earlier one, so that a rewritten log is noticed too. --archive verifies the archived entries too: all archives, one after the other in a file. The exit status is 1 if a log is not intact.',
    options: { project: 'id?', expect: 'sequence:hash?', archive: 'file?' },
    async run({ options }) {
      const project = parseId('project', options.project)
      const expected = parseHead(options.expect)
      if (expected !== undefined && project === undefined)
        throw new ConfigurationError('--expect: expected with --project only')
      if (options.archive !== undefined && !existsSync(options.archive))
        throw new ConfigurationError('--archive: the file does not exist')
      const target = project === undefined || expected === undefined ? undefined : { project, head: expected }
      const archives =
        options.archive === undefined ? undefined : await verifyArchive(options.archive, target)
      await withDatabase('audit', async (db) => {
        const projects = project === undefined ? await listProjects(db) : [project]
        let wrong = 0
        for (const each of projects) {
          const archive = archives?.get(each)
          const isArchived = archive !== undefined && includes(archive, expected)
          const verification = await verifyAudit(db, each, { expected: isArchived ? undefined : expected })
          const problem =
            verification.problem ?? (archives && findArchiveProblem(archive, verification.archived))
          console.log(describe(each, { ...verification, problem }, archive))
          if (problem !== undefined) wrong += 1
        }
        if (wrong > 0)
          throw new CommandFailedError(
            `${wrong} of ${projects.length} audit logs ${wrong === 1 ? 'is' : 'are'} not intact`,
          )
      })
    },
  },
  'audit archive': {
    summary:
      'Moves the entries of all projects that were recorded before the month of --before to a new file, in the format of "audit export". They are dropped once the file is complete and verified. Run it again if it was interrupted.',
    options: { before: 'date', to: 'file' },
    async run({ options: { before = '', to = '' } }) {
      const month = parseMonth(before)
      await withDatabase('audit', async (db, _, pool) => {
        const logs = await archiveAudit({ db, pool }, month, to)
        for (const [project, { previous, last }] of logs)
          console.log(
            `Project ${project}: the entries ${previous.sequence + 1} to ${last.sequence} are archived, up to ${last.sequence}:${last.hash}`,
          )
        if (logs.size === 0)
          console.log(`No entries were recorded before ${month.toISOString().slice(0, 10)}.`)
      })
    },
  },
  'audit list': {
    summary: `Lists the newest ${LISTED_ENTRIES} changes of a project's records, newest first: all of them, or those by --changed-by, of records of --type, with the id --record, or with --action.`,
    options: {
      project: 'id',
      'changed-by': 'actor?',
      type: 'table?',
      record: 'id?',
      action: 'CREATED|UPDATED|DELETED?',
    },
    async run({ options }) {
      const { 'changed-by': actor, type: recordType, record: recordId, action, project = '' } = options
      if (action !== undefined && !AUDIT_ACTIONS.some((each) => each === action))
        throw new ConfigurationError(`--action: expected one of ${AUDIT_ACTIONS.join(', ')}`)
      const id = parseId('project', project)
      const query = readPageQuery({ pageSize: LISTED_ENTRIES }, AUDIT_ORDERS, (field, message) => {
        throw new ConfigurationError(`${field}: ${message}`)
      })
      await withDatabase('audit', async (db) => {
        const filter = { actor, recordType, recordId, action }
        const { rows } = await listAuditEntries(new Tenant(db, id), filter, query)
        print(rows.map(toAuditEntry))
      })
    },
  },
  'audit export': {
    summary:
      'Prints all entries of a project as lines of JSON, oldest first, or those after the number --after. The number and the hash of the last line are what "audit verify --expect" compares.',
    options: { project: 'id', after: 'sequence?' },
    async run({ options }) {
      const project = parseId('project', options.project ?? '')
      const after = parseId('after', options.after)
      await withDatabase('audit', async (db) => {
        const { newest } = await readBounds(db, project)
        for await (const entry of streamEntries(db, project, newest, after)) console.log(formatEntry(entry))
      })
    },
  },
}

function parseId(option: string, text: string): number
function parseId(option: string, text: string | undefined): number | undefined
function parseId(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new ConfigurationError(`--${option}: expected a number`)
  return Number(text)
}

function parseHead(text: string | undefined): AuditHead | undefined {
  if (text === undefined) return undefined
  const [, sequence, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? []
  if (sequence === undefined || hash === undefined)
    throw new ConfigurationError(
      '--expect: expected the number and the hash of an entry, as "audit verify" prints them',
    )
  return { sequence: Number(sequence), hash }
}

/** Parses a date to the begin of its month, which has begun. */
function parseMonth(text: string): Date {
  const date = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(date.getTime()) || date.getTime() > Date.now())
    throw new ConfigurationError('--before: expected a date that is not in the future, such as 2026-01-01')
  return startOfPeriod('month', date)
}

/** Whether an archive has a number. */
function includes({ previous, last }: ArchivedLog, head: AuditHead | undefined): boolean {
  return head !== undefined && head.sequence > previous.sequence && head.sequence <= last.sequence
}

/** Says why an archive does not end where the kept log begins. */
function findArchiveProblem(
  archive: ArchivedLog | undefined,
  { sequence, hash }: AuditHead,
): AuditProblem | undefined {
  if (archive?.last.sequence === sequence && archive.last.hash === hash) return undefined
  if (archive === undefined && sequence === 0) return undefined
  const reason = `The log was archived up to ${sequence}:${hash}, and the archive ${archive === undefined ? 'has none of its entries' : `ends at ${archive.last.sequence}:${archive.last.hash}`}`
  return { sequence, reason }
}

/** Lists all projects, and those that were deleted and have a log. */
async function listProjects(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gateway.projects union select project_id from gateway.audit_heads order by id`.execute(db)
  return rows.map(({ id }) => id)
}

function describe(
  project: number,
  { entries, head, problem, archived }: AuditVerification,
  archive: ArchivedLog | undefined,
): string {
  if (problem !== undefined)
    return `Project ${project}: entry ${problem.sequence} is wrong. ${problem.reason}.`
  if (head === undefined) return `Project ${project}: the log is empty.`
  const from = archive === undefined ? archived : archive.previous
  if (from.sequence > 0 || archive !== undefined)
    return `Project ${project}: all ${head.sequence - from.sequence} entries after ${from.sequence} are intact, up to ${head.sequence}:${head.hash}`
  return `Project ${project}: all ${entries} entries are intact, up to ${head.sequence}:${head.hash}`
}
