import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { toScriptQuery } from '../api/query-client.ts'
import { Button } from '../components/button.tsx'
import { LonePage } from '../components/lone-page.tsx'
import { Notice } from '../components/notice.tsx'
import { Skeleton } from '../components/placeholders.tsx'
import { t } from '../language/translate.ts'
import { signInTexts } from '../texts/sign-in.ts'

/** Loads the sign-in, which a person who is signed in needs only when the session ends. */
const signInScript = toScriptQuery(
  'sign-in',
  async () => (await import('../pages/sign-in/sign-in-steps.tsx')).SignInSteps,
)

/**
 * The sign-in above the page of a session that has ended. The page keeps its state, but nobody can see or reach
 * it: a modal dialog makes it inert, and while the dialog is open, `components.css` makes everything else invisible,
 * which also removes it from the accessibility tree.
 */
export function SessionEnd(): ReactNode {
  const { data: SignInSteps, error } = useQuery(signInScript)
  const dialog = useModalDialog()
  return (
    <dialog
      ref={dialog}
      className="session-end"
      aria-label={signInTexts.ended.title}
      closedby="none"
      onKeyDown={(event) => {
        // For browsers that do not know `closedby`.
        if (event.key === 'Escape') event.preventDefault()
      }}
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget }) => {
        // The button of a phone that leads back closes a dialog at the second press, whatever `onCancel` does.
        if (currentTarget.isConnected && !currentTarget.open) currentTarget.showModal()
      }}
    >
      {SignInSteps === undefined ? (
        <LonePage title={signInTexts.title}>{error === null ? <Skeleton /> : <NotLoaded />}</LonePage>
      ) : (
        <SignInSteps coversPage notice={<Notice tone="info" {...signInTexts.ended} />} />
      )}
    </dialog>
  )
}

/** Opens a dialog above all others while it is part of the page. Closing it returns the focus. */
function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return dialog
}

function NotLoaded(): ReactNode {
  // A browser does not load a module again that failed, and a newer server has other scripts.
  const reload = <Button onClick={() => location.reload()}>{t('Load the page again')}</Button>
  return (
    <Notice
      tone="danger"
      title={t('The sign-in could not be loaded')}
      advice={t('Load the page again to sign in. What you entered is discarded.')}
      action={reload}
    />
  )
}
