import type { FormEvent, ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { Dialog, DialogLock } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'

interface ConfirmDialogProps {
  /** A question: `Revoke this key?` */
  readonly title: string
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode
  /** The action's verb: `Revoke`. */
  readonly action: string
  /** The button that closes the dialog. Default: `Cancel`. */
  readonly keep?: string
  readonly isPending: boolean
  /** The error of the last attempt. */
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. The focus is on the button that cancels. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, action, keep = componentTexts.cancel } = props
  const { isPending, error, onConfirm, onClose } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="stack" data-transient>
        <div className="stack-small">{children}</div>
        <ErrorNotice error={error} />
        <div className="dialog-actions">
          <DialogLock isActive={isPending} />
          <Button onClick={onClose} disabled={isPending} autoFocus>
            {keep}
          </Button>
          <Button kind="danger" type="submit" isPending={isPending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
