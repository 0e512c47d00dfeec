import { operators, serverAudit } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { AuditLog } from '../../components/audit/audit-log.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { serverAuditTexts as texts } from '../../texts/operator.ts'

const source = { project: 0, list: serverAudit.list, verify: serverAudit.verify }

/** The audit log of what belongs to no project: people, operators, and what people sign in with. */
export function ServerAuditPage(): ReactNode {
  // Without their names, the page shows the ids of operators.
  const { data: people = [] } = useOperation(operators.list, {})
  return (
    <AuditLog
      source={source}
      known={{ people, keys: [] }}
      recordTypes={auditTexts.serverRecordTypes}
      title={texts.title}
      context={texts.context}
      description={texts.description}
    />
  )
}
