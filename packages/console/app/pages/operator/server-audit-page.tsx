import { operators, serverAudit } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { AuditLog } from '../../components/audit/audit-log.tsx'
import { auditTexts } from '../../texts/audit.ts'

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
      title="Server audit log"
      description="Every change of what belongs to no project: people, who is an operator, passwords, passkeys and second factors. Each project has a log of its own."
    />
  )
}
