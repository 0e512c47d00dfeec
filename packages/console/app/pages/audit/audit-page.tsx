import { apiKeys, audit, people } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import type { KnownActors } from '../../components/audit/actors.ts'
import { AuditLog } from '../../components/audit/audit-log.tsx'
import { t } from '../../language/translate.ts'
import { useProject } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'

/** The audit log of a project. */
export function AuditPage(): ReactNode {
  const { projectId } = useProject()
  const known = useKnownActors()
  return (
    <AuditLog
      source={{ project: projectId, list: audit.list, verify: audit.verify }}
      known={known}
      recordTypes={auditTexts.recordTypes}
      title={t('Audit log')}
      description={t(
        'Every change of a record in this project: who made it, when, and each field before and after.',
      )}
    />
  )
}

/** Reads the names of people and keys. Without them, the page shows ids. */
function useKnownActors(): KnownActors {
  const { data: members = [] } = useOperation(people.list, {})
  const { data: keys = [] } = useOperation(apiKeys.list, {})
  return { people: members, keys }
}
