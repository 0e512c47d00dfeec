import { audit } from '@mintmark/admin'
import { type FieldLimits, parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import { implementWithLimits } from '../../context.ts'
import { CHOICE, NAME } from '../../http/field-limits.ts'
import { toAuditEntry } from './audit-record.ts'
import { AUDIT_ORDERS, listAuditEntries } from './audit-store.ts'
import { verifyAudit } from './verify-audit.ts'

export const AUDIT_ACTIONS = ['CREATED', 'UPDATED', 'DELETED'] as const

const auditLimits: FieldLimits = {
  actor: NAME,
  recordType: NAME,
  recordId: NAME,
  action: { ...CHOICE, oneOf: AUDIT_ACTIONS },
}

export const auditRoutes = implementWithLimits(auditLimits)(audit, {
  async list(input, { tenant, invalid }) {
    const query = readPageQuery(input, AUDIT_ORDERS, invalid)
    const { actor, recordType, recordId, action } = input
    const filter = { actor, recordType, recordId, action, ...parseTimeRange(input) }
    return toPage(query, await listAuditEntries(tenant, filter, query), toAuditEntry)
  },

  async verify(_, { tenant }) {
    const { entries, head, problem } = await verifyAudit(tenant.db, tenant.project)
    return {
      valid: problem === undefined,
      entries,
      headSequence: head?.sequence ?? 0,
      headHash: head?.hash ?? '',
      ...(problem && { problemSequence: problem.sequence, problem: problem.reason }),
    }
  },
})
