import type { audit } from '@mintmark/admin'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import type { ReactNode } from 'react'
import { t } from '../../language/translate.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { ExportDialog } from '../export-dialog.tsx'
import { saveFile } from '../save-file.ts'
import type { AuditSource } from './audit-log.tsx'

interface ExportLogProps {
  readonly source: AuditSource
  /** The filters of the page, as its address has them. */
  readonly search: Readonly<Record<string, string>>
  readonly onClose: () => void
}

/** Saves the entries that match the filters as lines of JSON. */
export function ExportLog({ source: { project, list }, search, onClose }: ExportLogProps): ReactNode {
  const { gateway } = useProjectGateway()
  const { type: recordType, record: recordId, ...filters } = search
  const input: InputOf<typeof audit.list> = { ...filters, recordType, recordId, pageSize: MAX_PAGE_SIZE }
  const save = async (signal: AbortSignal, onCount: (count: number) => void) => {
    const lines: string[] = []
    for await (const { list: entries } of list.pages(gateway, input, { signal })) {
      lines.push(...entries.map((entry) => `${JSON.stringify(entry)}\n`))
      onCount(lines.length)
    }
    const name = project === 0 ? 'audit-of-server' : `audit-of-project-${project}`
    saveFile(`${name}.jsonl`, 'application/jsonl', lines.join(''))
    return lines.length
  }
  return (
    <ExportDialog
      title={t('Export the audit log')}
      formatRecords={auditTexts.verify.entries}
      save={save}
      onClose={onClose}
    >
      <p>
        {t(
          'Saves the entries that match the filters as a file with one JSON object in each line, newest first. Values of very large changes are shortened; "mintmark-gateway audit export" has them whole.',
        )}
      </p>
    </ExportDialog>
  )
}
