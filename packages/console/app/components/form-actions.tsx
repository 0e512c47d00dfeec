import type { ReactNode } from 'react'
import { confirmDiscard } from '../form/confirm-discard.ts'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'
import { DialogLock } from './dialog.tsx'

interface CancelButtonProps {
  readonly onCancel: () => void
  readonly disabled?: boolean
}

/** The button that leaves a form. It asks before input is lost. */
export function CancelButton({ onCancel, disabled }: CancelButtonProps): ReactNode {
  return (
    <Button
      disabled={disabled}
      onClick={({ currentTarget: { form } }) => confirmDiscard(onCancel, form ?? undefined)}
    >
      {componentTexts.cancel}
    </Button>
  )
}

interface FormActionsProps {
  /** The text of the button that sends the form. */
  readonly action: string
  /** `danger` for what cannot be undone. Default: `primary`. */
  readonly kind?: 'primary' | 'danger' | undefined
  /** Whether the call of the form is running. */
  readonly isPending: boolean
  /** Undefined for a form outside of a dialog, which has no button that cancels. */
  readonly onCancel?: (() => void) | undefined
}

/**
 * The buttons of a form. A dialog around it stays open while the call runs, because the response can contain a
 * secret.
 */
export function FormActions({ action, kind = 'primary', isPending, onCancel }: FormActionsProps): ReactNode {
  return (
    <div className="dialog-actions">
      <DialogLock isActive={isPending} />
      {onCancel !== undefined && <CancelButton onCancel={onCancel} disabled={isPending} />}
      <Button kind={kind} type="submit" isPending={isPending}>
        {action}
      </Button>
    </div>
  )
}
