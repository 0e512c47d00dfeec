import type { audit } from '@mintmark/admin'
import { MAX_PAGE_SIZE } from '@mintmark/envelope'
import type { InputOf } from '@mintmark/operation'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatQuantity } from '../../format/number.ts'
import { useProjectGateway } from '../../session/project-context.tsx'
import { auditTexts } from '../../texts/audit.ts'
import { componentTexts } from '../../texts/shell.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { ErrorNotice } from '../error-notice.tsx'
import { saveFile } from '../save-file.ts'
import { showToast } from '../toast.tsx'
import type { AuditSource } from './audit-log.tsx'

interface ExportDialogProps {
  readonly source: AuditSource
  /** The filters of the page, as its address has them. */
  readonly search: Readonly<Record<string, string>>
  readonly onClose: () => void
}
const nouns = auditTexts.verify.entries

/** Saves the entries that match the filters as lines of JSON. */
export function ExportDialog({ source, search, onClose }: ExportDialogProps): ReactNode {
  const { type: recordType, record: recordId, ...filters } = search
  const [count, setCount] = useState(0)
  const run = useExport(source, { ...filters, recordType, recordId }, setCount)
  const start = () =>
    run.mutate(undefined, {
      onSuccess: (total) => {
        showToast(`${formatQuantity(total, nouns)} saved`)
        onClose()
      },
    })
  return (
    <Dialog title="Export the audit log" isOpen onClose={onClose} isDismissable={false}>
      <p>
        Saves the entries that match the filters as a file with one JSON object in each line, newest first.
        Values of very large changes are shortened; "mintmark-gateway audit export" has them whole.
      </p>
      <p role="status" className="muted">
        {run.isPending && `${formatQuantity(count, nouns)} read`}
      </p>
      <ErrorNotice error={run.error} onRetry={start} isRetrying={run.isPending} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{componentTexts.cancel}</Button>
        <Button kind="primary" onClick={start} isPending={run.isPending}>
          Export
        </Button>
      </div>
    </Dialog>
  )
}

/** Reads all pages of the list and saves them. Stops when the dialog is closed. */
function useExport(
  { project, list }: AuditSource,
  filters: InputOf<typeof audit.list>,
  onCount: (count: number) => void,
) {
  const { gateway } = useProjectGateway()
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  return useMutation({
    mutationFn: async () => {
      controller.current = new AbortController()
      const { signal } = controller.current
      const parts: string[] = []
      let count = 0
      for await (const { list: entries } of list.pages(
        gateway,
        { ...filters, pageSize: MAX_PAGE_SIZE },
        { signal },
      )) {
        parts.push(...entries.map((entry) => `${JSON.stringify(entry)}\n`))
        count += entries.length
        onCount(count)
      }
      saveFile(
        `${project === 0 ? 'audit-of-server' : `audit-of-project-${project}`}.jsonl`,
        'application/jsonl',
        parts.join(''),
      )
      return count
    },
  })
}
