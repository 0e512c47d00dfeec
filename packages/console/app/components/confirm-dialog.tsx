import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { Dialog, DialogLock } from './dialog.tsx'
import { ErrorNotice } from './error-notice.tsx'

interface ConfirmDialogProps {
  /** A question: `Revoke this key?` */
  readonly title: string
  /** What happens, and whether it can be undone. */
  readonly children: ReactNode
  /** The action's verb: `Revoke`. */
  readonly action: string
  /** The button that closes the dialog. Default: `Cancel`. */
  readonly keep?: string
  /** A text that the person must type first, for what affects many. Default: none. */
  readonly word?: string
  readonly isOpen: boolean
  readonly isPending: boolean
  /** The error of the last attempt. */
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. The focus is on the button that cancels. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, action, keep = componentTexts.cancel, word } = props
  const { isOpen, isPending, error, onConfirm, onClose } = props
  const [typed, setTyped] = useState('')
  const inputId = useId()
  const isConfirmed = word === undefined || typed.trim() === word
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isConfirmed && !isPending) onConfirm()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <form onSubmit={submit} className="stack" data-transient>
        <div className="stack-small">{children}</div>
        {word !== undefined && (
          <div className="field">
            <label htmlFor={inputId}>{`Type ${word} to confirm`}</label>
            <input
              id={inputId}
              className="input"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          </div>
        )}
        <ErrorNotice error={error} />
        <div className="dialog-actions">
          <DialogLock isActive={isPending} />
          <Button onClick={onClose} disabled={isPending} autoFocus={word === undefined}>
            {keep}
          </Button>
          <Button kind="danger" type="submit" isPending={isPending} disabled={!isConfirmed}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
