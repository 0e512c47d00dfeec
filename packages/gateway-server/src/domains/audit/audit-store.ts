import {
  findPage,
  type PageQuery,
  type PageRows,
  type SortColumns,
  type TimeRange,
} from '@mintmark/server-kit'
import { type Selectable, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { Tenant } from '../../database/tenant.ts'

/** An entry whose changes are the text of their JSON: its numbers can be larger than JavaScript's. */
export type AuditRow = Omit<Selectable<Tables['gateway.audit_entries']>, 'changes' | 'recorded_at'> & {
  changes: string
}

export const AUDIT_ORDERS = { id: 'occurred_at', createTime: 'occurred_at' } as const satisfies SortColumns

export interface AuditFilter extends TimeRange {
  readonly actor?: string | undefined
  readonly recordType?: string | undefined
  readonly recordId?: string | undefined
  readonly action?: string | undefined
}

export async function listAuditEntries(
  tenant: Tenant,
  { actor, recordType, recordId, action, from, to }: AuditFilter,
  query: PageQuery,
): Promise<PageRows<AuditRow>> {
  const table = 'gateway.audit_entries'
  let rows = tenant
    .selectFrom(table)
    .select(['project_id', 'id', 'occurred_at', 'actor', 'record_type', 'record_id', 'action'])
    .select(['previous_hash', 'hash', sql<string>`changes::text`.as('changes')])
  // An index has the entries of a record. The other filters are compared.
  for (const [column, value] of Object.entries({ actor, record_type: recordType, action }))
    if (value !== undefined) rows = rows.where(sql<boolean>`${sql.ref(column)} = ${value}`)
  const columns = recordId === undefined ? undefined : { record_id: recordId }
  const created = { from, to, column: 'occurred_at' }
  // Operators read the entries of the server by a connection that sees those of all projects, with the same ids.
  return await findPage(tenant.db, table, rows, query, { index: { columns }, created, readsByKey: false })
}
