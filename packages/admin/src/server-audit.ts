import { creationTimeQuery } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { AuditEntry, AuditVerification } from './audit.ts'

/**
 * Lists the changes of what belongs to no project, newest first: people, who is an operator, and what people
 * sign in with. It is the log with the number 0. Secrets are `[redacted]`. Only operators and keys with the
 * scope `operator:read` may call it.
 *
 * @example
 * for await (const { createTime, actor, action } of serverAudit.list.items(gateway, { recordType: 'people' })) {
 *   console.log(createTime, actor, action)
 * }
 */
export const list = pagedGatewayOperation({
  id: 'serverAudit.list',
  method: 'GET',
  path: '/admin/v1/operator/audit',
  source: 'own',
  scope: 'operator:read',
  query: {
    /** Only changes by this actor, such as `person:<id>`. */
    actor: v.optional(v.string()),
    /** Only changes of records of this kind, such as `people`. */
    recordType: v.optional(v.string()),
    /**
     * Only changes of records with this id. Name `recordType` too: records of several kinds can have the same
     * id.
     */
    recordId: v.optional(v.string()),
    /** Only changes with this action: `CREATED`, `UPDATED` or `DELETED`. */
    action: v.optional(v.string()),
    ...creationTimeQuery,
  },
  item: AuditEntry,
})
export type ListServerAuditInput = InputOf<typeof list>

/**
 * Verifies the audit log of the server like `audit.verify` that of a project.
 *
 * @example
 * const { valid, problem } = await serverAudit.verify(gateway)
 */
export const verify = gatewayOperation({
  id: 'serverAudit.verify',
  method: 'GET',
  path: '/admin/v1/operator/audit/verify',
  source: 'own',
  scope: 'operator:read',
  data: AuditVerification,
})
