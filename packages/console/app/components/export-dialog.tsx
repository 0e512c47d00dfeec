import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../language/translate.ts'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'
import { showToast } from './toast.tsx'

interface ExportDialogProps {
  readonly title: string
  /** What is saved. */
  readonly children: ReactNode
  /** Formats how many records the file has: `2 entries`. */
  readonly formatRecords: (count: number) => string
  /** Saves the records until the signal. Reports how many it has read, and returns their number. */
  readonly save: (signal: AbortSignal, onCount: (count: number) => void) => Promise<number>
  readonly onClose: () => void
}

/** Saves records as a file. Stops when it is closed. */
export function ExportDialog({
  title,
  children,
  formatRecords,
  save,
  onClose,
}: ExportDialogProps): ReactNode {
  const [count, setCount] = useState(0)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const run = useMutation({
    mutationFn: () => {
      controller.current = new AbortController()
      setCount(0)
      return save(controller.current.signal, setCount)
    },
    onSuccess: (total) => {
      showToast(t('{records} saved', { records: formatRecords(total) }))
      onClose()
    },
  })
  const start = () => run.mutate()
  return (
    <Dialog title={title} onClose={onClose} isDismissable={false}>
      {children}
      <p role="status" className="muted">
        {run.isPending && t('{records} read', { records: formatRecords(count) })}
      </p>
      <ErrorNotice error={run.error} onRetry={start} isRetrying={run.isPending} />
      <div className="dialog-actions">
        <Button onClick={onClose}>{componentTexts.cancel}</Button>
        <Button kind="primary" onClick={start} isPending={run.isPending}>
          {t('Export')}
        </Button>
      </div>
    </Dialog>
  )
}
