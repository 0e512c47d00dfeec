import { type Command, CommandFailedError, ConfigurationError, readPageQuery } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'
import { Tenant } from '../database/tenant.ts'
import { AUDIT_ACTIONS } from '../domains/audit/audit-handlers.ts'
import { toAuditEntry } from '../domains/audit/audit-record.ts'
import { AUDIT_ORDERS, listAuditEntries } from '../domains/audit/audit-store.ts'
import { formatEntry } from '../domains/audit/entry-hash.ts'
import {
  type AuditHead,
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
      'Verifies the audit logs of all projects, or that of --project, and prints the number and the hash of the newest entry of each. Keep them elsewhere: --expect compares a log with an earlier one, so that a rewritten log is noticed too. The exit status is 1 if a log is not intact.',
    options: { project: 'id?', expect: 'sequence:hash?' },
    async run({ options }) {
      const project = parseId('project', options.project)
      const expected = parseHead(options.expect)
      if (expected !== undefined && project === undefined)
        throw new ConfigurationError('--expect: expected with --project only')
      await withDatabase('audit', async (db) => {
        const projects = project === undefined ? await listProjects(db) : [project]
        let wrong = 0
        for (const each of projects) {
          const verification = await verifyAudit(db, each, { expected })
          console.log(describe(each, verification))
          if (verification.problem !== undefined) wrong += 1
        }
        if (wrong > 0)
          throw new CommandFailedError(
            `${wrong} of ${projects.length} audit logs ${wrong === 1 ? 'is' : 'are'} not intact`,
          )
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

/** Lists all projects, and those that were deleted and have a log. */
async function listProjects(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from gateway.projects union select project_id from gateway.audit_heads order by id`.execute(db)
  return rows.map(({ id }) => id)
}

function describe(project: number, { entries, head, problem }: AuditVerification): string {
  if (problem !== undefined)
    return `Project ${project}: entry ${problem.sequence} is wrong. ${problem.reason}.`
  if (head === undefined) return `Project ${project}: the log is empty.`
  return `Project ${project}: all ${entries} entries are intact, up to ${head.sequence}:${head.hash}`
}
