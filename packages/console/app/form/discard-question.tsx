import { useQueryClient } from '@tanstack/react-query'
import { type HistoryLocation, type RouterHistory, useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { SESSION_KEY } from '../api/query-client.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { formatSearch, parseSearch } from '../navigation/search-params.ts'
import type { CachedSession } from '../session/session.ts'
import { formTexts } from '../texts/shell.ts'
import { requestDiscard, requestedDiscard } from './confirm-discard.ts'
import { hasUnsavedInput, watchForms } from './unsaved-input.ts'

/**
 * Asks before forms with unsaved input are lost: by a link, a shortcut, Back or Forward, and by what calls
 * `confirmDiscard`. The browser asks before a reload and before the tab is closed. The console has one.
 */
export function DiscardQuestion(): ReactNode {
  useNavigationBlocker()
  const action = useSyncExternalStore(requestedDiscard.subscribe, requestedDiscard.get)
  const { title, advice, ...buttons } = formTexts.discard
  if (action === undefined) return null
  return (
    <ConfirmDialog
      title={title}
      {...buttons}
      isPending={false}
      onConfirm={() => {
        requestedDiscard.set(undefined)
        action()
      }}
      onClose={() => requestedDiscard.set(undefined)}
    >
      <p>{advice}</p>
    </ConfirmDialog>
  )
}

type NavigationBlocker = Parameters<RouterHistory['block']>[0]

/** Blocks navigations while there is unsaved input, and asks whether to navigate nevertheless. */
function useNavigationBlocker(): void {
  const { history }: { readonly history: RouterHistory } = useRouter()
  const client = useQueryClient()
  useEffect(() => {
    // A blocker delays every navigation, so that there is only one while forms may have input.
    let unblock: (() => void) | undefined
    const release = () => {
      unblock?.()
      unblock = undefined
    }
    const blocker: NavigationBlocker = {
      enableBeforeUnload: () => hasUnsavedInput(),
      blockerFn({ currentLocation, nextLocation, action }) {
        if (!hasUnsavedInput()) {
          release()
          return false
        }
        if (keepsForms(currentLocation, nextLocation, action)) return false
        // The sign-in covers the page, which keeps its forms for the person who signs in again.
        const hasEnded = client.getQueryData<CachedSession | null>(SESSION_KEY)?.hasEnded === true
        if (!hasEnded) requestDiscard(() => navigate(currentLocation, nextLocation, action))
        return true
      },
    }
    function navigate(from: HistoryLocation, to: HistoryLocation, action: string): void {
      if (action === 'PUSH') history.push(to.href, to.state)
      else if (action === 'REPLACE') history.replace(to.href, to.state)
      else history.go(to.state.__TSR_index - from.state.__TSR_index)
    }
    const unwatch = watchForms(() => {
      unblock ??= history.block(blocker)
    })
    return () => {
      unwatch()
      release()
    }
  }, [history, client])
}

/** Whether a navigation stays on the page: another page of a list, or filters, which replace the address. */
function keepsForms(from: HistoryLocation, to: HistoryLocation, action: string): boolean {
  if (from.pathname !== to.pathname) return false
  return action === 'REPLACE' || formatView(from) === formatView(to)
}

/** Formats the parameters of an address without the page of a list. */
function formatView({ search }: HistoryLocation): string {
  return formatSearch({ ...parseSearch(search), page: undefined })
}
