import { useRouter } from '@tanstack/react-router'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { confirmDiscard } from '../form/confirm-discard.ts'
import { useIsCovered } from '../session/project-context.tsx'
import { componentTexts } from '../texts/shell.ts'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  /**
   * Called when the person closes the dialog, also with Escape or a press beside it. If a form in it has input,
   * the person is asked first.
   */
  readonly onClose: () => void
  /** `wide` for tables and previews. Default: `narrow`. */
  readonly size?: 'narrow' | 'wide'
  /** Whether a press beside the dialog closes it. Default: yes. Set it to false where that ends what runs. */
  readonly isDismissable?: boolean
  /**
   * Whether only its buttons close the dialog, because it shows a secret that cannot be shown again. Default:
   * no.
   */
  readonly showsSecret?: boolean
  readonly children: ReactNode
}

/**
 * What has the focus when a dialog opens: the first field, or the first button of a dialog without fields,
 * which cancels.
 */
const FIRST_FOCUS = ':is(input:not([hidden]), select, textarea), .dialog-actions button'

const LockContext = createContext<(isLocked: boolean) => void>(() => undefined)

/**
 * Keeps the dialog around it open, and the person on its page, while `isActive`, such as while a call runs whose
 * result the dialog shows once.
 */
export function DialogLock({ isActive }: { readonly isActive: boolean }): ReactNode {
  const setIsLocked = useContext(LockContext)
  useLayoutEffect(() => {
    setIsLocked(isActive)
    return () => setIsLocked(false)
  }, [setIsLocked, isActive])
  // Undefined where a test renders a dialog without the pages.
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined
  useEffect(() => {
    if (!isActive) return
    // Back and Forward. The dialog itself may lead to another page as soon as it has the response.
    const blockerFn = ({ action }: { readonly action: string }) => !['PUSH', 'REPLACE'].includes(action)
    return router?.history.block({ blockerFn, enableBeforeUnload: true })
  }, [router, isActive])
  return null
}

/**
 * A modal dialog: the browser's own, which keeps the focus inside, returns it afterwards, and makes the page
 * behind it inert. A {@link DialogLock} inside of it keeps it open.
 */
export function Dialog(props: DialogProps): ReactNode {
  const { title, onClose, size = 'narrow', showsSecret = false, children } = props
  const { isDismissable = !showsSecret } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const [isLocked, setIsLocked] = useState(false)
  const closesOnEscape = !showsSecret && !isLocked
  const close = () => confirmDiscard(onClose, dialog.current ?? undefined)
  const titleId = useId()
  const isCovered = useIsCovered()
  // While the dialog is part of the page, also when it is removed: only then closing it returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  useLayoutEffect(() => {
    const element = dialog.current
    // Above the sign-in, an invisible dialog would keep the person from signing in. It opens after that.
    if (isCovered || element === null || element.open) return
    element.showModal()
    // The browser would focus the button that closes the dialog, because it is the first one.
    element.querySelector<HTMLElement>(FIRST_FOCUS)?.focus()
  }, [isCovered])
  return (
    <dialog
      ref={dialog}
      className={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      closedby={closesOnEscape ? 'closerequest' : 'none'}
      onKeyDown={(event) => {
        // A dialog inside of this one handles its own keys, and so does a menu.
        const isOwn = event.target instanceof Element && event.target.closest('dialog') === dialog.current
        if (event.key !== 'Escape' || !isOwn || event.defaultPrevented) return
        // Browsers close a dialog at the second Escape, whatever `onCancel` does.
        event.preventDefault()
        if (closesOnEscape && !event.nativeEvent.isComposing) close()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (closesOnEscape) close()
      }}
      onClose={({ currentTarget }) => {
        // The second press of a phone's button that leads back closes a dialog too.
        if (!currentTarget.isConnected || currentTarget.open) return
        currentTarget.showModal()
        if (closesOnEscape) close()
      }}
      onClick={(event) => {
        // The padding is inside of the dialog's content, so the dialog itself is only hit beside it.
        if (isDismissable && !isLocked && event.target === dialog.current) close()
      }}
    >
      <div className="dialog-content">
        <header className="dialog-header">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={componentTexts.close} disabled={isLocked} onClick={close} />
        </header>
        <LockContext value={setIsLocked}>{children}</LockContext>
      </div>
    </dialog>
  )
}
