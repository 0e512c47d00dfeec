import { useLocation } from '@tanstack/react-router'
import { Fragment, type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react'

interface OpenDialog {
  readonly id: number
  readonly dialog: ReactNode
  readonly close: () => void
}

let dialogs: readonly OpenDialog[] = []
let lastId = 0
const listeners = new Set<() => void>()

function update(next: readonly OpenDialog[]): void {
  dialogs = next
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/**
 * Opens a dialog above the page. Returns what it is closed with: undefined if the person cancels or leaves the
 * page. The dialog is rendered once: a component in it reads what others can change meanwhile.
 *
 * @example await openDialog((close) => <ExportDialog program={program} onClose={close} />)
 */
export function openDialog<Result = void>(
  render: (close: (result?: Result) => void) => ReactNode,
): Promise<Result | undefined> {
  const { promise, resolve } = Promise.withResolvers<Result | undefined>()
  lastId += 1
  const id = lastId
  const close = (result?: Result) => {
    update(dialogs.filter((each) => each.id !== id))
    resolve(result)
  }
  update([...dialogs, { id, dialog: render(close), close: () => close() }])
  return promise
}

/** Shows the open dialogs. The layout has one. Dialogs end with their page. */
export function DialogHost(): ReactNode {
  const open = useSyncExternalStore(subscribe, () => dialogs)
  const { pathname } = useLocation()
  // Another page closes the dialogs of the previous one.
  useLayoutEffect(() => () => closeAll(), [pathname])
  return open.map(({ id, dialog }) => <Fragment key={id}>{dialog}</Fragment>)
}

function closeAll(): void {
  for (const { close } of dialogs) close()
}
