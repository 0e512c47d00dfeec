import {
  type AuditEntry,
  type AuditVerification,
  audit,
  type ListAuditInput,
  serverAudit,
} from '@mintmark/admin'
import type { Page } from '@mintmark/envelope'
import { type FieldLimits, HttpError, parseTimeRange, readPageQuery, toPage } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'
import { Tenant } from '../../database/tenant.ts'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { CHOICE, SEARCH } from '../../http/field-limits.ts'
import { toAuditEntry } from './audit-record.ts'
import { AUDIT_ORDERS, listAuditEntries } from './audit-store.ts'
import { verifyAudit } from './verify-audit.ts'

export const AUDIT_ACTIONS = ['CREATED', 'UPDATED', 'DELETED'] as const

/** The project of the log of what belongs to no project. */
const SERVER_LOG = 0
/** When a caller may retry a verification that another one prevented. */
const RETRY_SECONDS = 5
/** The status of a response that nobody receives, for logs and metrics. */
const CALLER_GONE = 499

const auditLimits: FieldLimits = {
  actor: SEARCH,
  recordType: SEARCH,
  recordId: SEARCH,
  action: { ...CHOICE, oneOf: AUDIT_ACTIONS },
}
/** What the operations of audit logs need of the server. */
export interface AuditPorts {
  /** Connections of the schema's owner. */
  readonly owner: Db
}

const implement = implementWithLimits<AuditPorts>(auditLimits)

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

/** The connections of the logs that this process verifies at present. */
const verifiedLogs = new WeakSet<Db>()

/**
 * Verifies a log for a caller. It reads the whole log, so a process verifies each log once at a time, and stops
 * when the caller has disconnected.
 */
async function verifyLog(
  { db, project }: Tenant,
  { connection }: Pick<GatewayContext, 'connection'>,
): Promise<AuditVerification> {
  if (verifiedLogs.has(db))
    throw new HttpError(429, 'This audit log is being verified. Retry later', { retryAfter: RETRY_SECONDS })
  verifiedLogs.add(db)
  try {
    const onTurn = () => {
      if (!connection.isConnected()) throw new HttpError(CALLER_GONE, 'The caller has disconnected')
    }
    return toRecord(await verifyAudit(db, project, { onTurn }))
  } finally {
    verifiedLogs.delete(db)
  }
}

function toRecord({ entries, head, problem }: Awaited<ReturnType<typeof verifyAudit>>): AuditVerification {
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
    verify: async (_, context) => await verifyLog(context.tenant, context),
  }),
  ...implement(serverAudit, {
    list: async (input, { owner, invalid }) => await listLog(new Tenant(owner, SERVER_LOG), input, invalid),
    verify: async (_, context) => await verifyLog(new Tenant(context.owner, SERVER_LOG), context),
  }),
]
