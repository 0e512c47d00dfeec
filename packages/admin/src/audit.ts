import { creationTimeQuery, Integer, record, type Schema, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf, pagedGatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'

/** What a change did to a record. */
export type AuditAction = 'CREATED' | 'UPDATED' | 'DELETED'
// A newer server may return further values, so the type of the record is open.
const auditAction: Schema<AuditAction | (string & {})> = v.string()

const auditEntry = record({
  /** The number of the entry in the project, from 1 without gaps. */
  sequence: Integer,
  /** When the change was made. */
  createTime: Timestamp,
  /**
   * Who made the change: `key:mk_…`, `publishable-key:pk_…`, `person:<id>`, `job:<name>`, `command:<name>` of
   * the command line with the name of the operator in parentheses, `server`, or `unknown` for changes from
   * before the audit log.
   */
  actor: v.string(),
  /** The kind of the changed record: the name of its table, such as `cards`. */
  recordType: v.string(),
  /** The id of the changed record among those of its kind. */
  recordId: v.string(),
  /** `CREATED`, `UPDATED` or `DELETED`. */
  action: auditAction,
  /**
   * The changed columns with their values. A created record has no values before, a deleted one none after, and
   * columns that are null, false, 0 or empty are left out of both. Secrets and the codes of cards are
   * `[redacted]`. Numbers that JavaScript cannot represent are texts. If the values have more than 32,768 bytes,
   * each one above 100 characters is shortened to a text.
   */
  changes: v.record(
    v.string(),
    record({
      /** The value before the change. */
      before: v.optional(v.unknown()),
      /** The value after the change. */
      after: v.optional(v.unknown()),
    }),
  ),
  /** The hash of the entry, which covers the entry before and therefore all earlier ones. */
  hash: v.string(),
})
/** A change of one record by one transaction. */
export interface AuditEntry extends v.InferOutput<typeof auditEntry> {}
export const AuditEntry: Schema<AuditEntry> = auditEntry

const auditVerification = record({
  /** Whether the log is complete and unchanged. */
  valid: v.boolean(),
  /**
   * The number of entries that are right: all of them, or those before the first problem. Archived entries do
   * not count.
   */
  entries: Integer,
  /** The number of the newest entry; 0 for an empty log. */
  headSequence: Integer,
  /**
   * The hash of the newest entry; `''` for an empty log. Keep it elsewhere to notice later that a log was
   * rewritten.
   */
  headHash: v.string(),
  /** The number of the first entry that is wrong or missing; absent if the log is valid. */
  problemSequence: v.optional(Integer),
  /** What is wrong there; absent if the log is valid. */
  problem: v.optional(v.string()),
})
/** The result of the verification of an audit log. */
export interface AuditVerification extends v.InferOutput<typeof auditVerification> {}
export const AuditVerification: Schema<AuditVerification> = auditVerification

/**
 * Lists the changes of the project's records, newest first: what was changed, when, and by whom. A list by
 * one of the filters, with or without a range of times, takes the same time in logs of any size. Entries are
 * never changed. Those that the operator of the server has archived are not listed.
 *
 * @example
 * for await (const { createTime, actor, action } of audit.list.items(gateway, { recordType: 'cards', recordId: '7' })) {
 *   console.log(createTime, actor, action)
 * }
 */
export const list = pagedGatewayOperation({
  id: 'audit.list',
  method: 'GET',
  path: '/admin/v1/audit',
  source: 'own',
  scope: 'audit:read',
  query: {
    /** Only changes by this actor, such as `key:mk_…`. */
    actor: v.optional(v.string()),
    /** Only changes of records of this kind, such as `cards`. */
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
export type ListAuditInput = InputOf<typeof list>

/**
 * Verifies the audit log of the project: computes the hash of every entry, and reports the first entry that
 * was changed, moved, removed or inserted. It takes about a minute for a million entries, and stops when the
 * caller disconnects. RateLimitedError while another call verifies the log in the same process.
 *
 * @example
 * const { valid, problem } = await audit.verify(gateway)
 */
export const verify = gatewayOperation({
  id: 'audit.verify',
  method: 'GET',
  path: '/admin/v1/audit/verify',
  source: 'own',
  scope: 'audit:read',
  data: AuditVerification,
})
