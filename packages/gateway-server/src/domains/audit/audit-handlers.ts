import {
  type AuditEntry,
  type AuditVerification,
  audit,
  type ListAuditInput,
  serverAudit,
} from '@mintmark/admin'
import type { Page } from '@mintmark/envelope'
import { type FieldLimits, parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import { implementWithLimits } from '../../context.ts'
import { CHOICE, NAME } from '../../http/field-limits.ts'
import { Tenant } from '../../tenant.ts'
import { toAuditEntry } from './audit-record.ts'
import { AUDIT_ORDERS, listAuditEntries } from './audit-store.ts'
import { verifyAudit } from './verify-audit.ts'

export const AUDIT_ACTIONS = ['CREATED', 'UPDATED', 'DELETED'] as const

/** The project of the log of what belongs to no project. */
const SERVER_LOG = 0

const auditLimits: FieldLimits = {
  actor: NAME,
  recordType: NAME,
  recordId: NAME,
  action: { ...CHOICE, oneOf: AUDIT_ACTIONS },
}
const implement = implementWithLimits(auditLimits)

async function listLog(
  log: Tenant,
  input: ListAuditInput,
  invalid: (field: string, message: string) => never,
): Promise<Page<AuditEntry>> {
  const query = readPageQuery(input, AUDIT_ORDERS, invalid)
  const { actor, recordType, recordId, action } = input
  const filter = { actor, recordType, recordId, action, ...parseTimeRange(input) }
  return toPage(query, await listAuditEntries(log, filter, query), toAuditEntry)
}

async function verifyLog(log: Tenant): Promise<AuditVerification> {
  const { entries, head, problem } = await verifyAudit(log.db, log.project)
  return {
    valid: problem === undefined,
    entries,
    headSequence: head?.sequence ?? 0,
    headHash: head?.hash ?? '',
    ...(problem && { problemSequence: problem.sequence, problem: problem.reason }),
  }
}

export const auditRoutes = [
  ...implement(audit, {
    list: async (input, { tenant, invalid }) => await listLog(tenant, input, invalid),
    verify: async (_, { tenant }) => await verifyLog(tenant),
  }),
  ...implement(serverAudit, {
    list: async (input, { operator: { db }, invalid }) =>
      await listLog(new Tenant(db, SERVER_LOG), input, invalid),
    verify: async (_, { operator: { db } }) => await verifyLog(new Tenant(db, SERVER_LOG)),
  }),
]
