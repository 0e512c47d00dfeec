import { useLocation } from '@tanstack/react-router'
import { Fragment, type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react'
import { createStore } from './store.ts'

interface OpenDialog {
  readonly id: number
  readonly dialog: ReactNode
  readonly close: () => void
}

const dialogs = createStore<readonly OpenDialog[]>([])
let lastId = 0

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
    dialogs.set(dialogs.get().filter((each) => each.id !== id))
    resolve(result)
  }
  dialogs.set([...dialogs.get(), { id, dialog: render(close), close: () => close() }])
  return promise
}

/** Shows the open dialogs. The layout has one. Dialogs end with their page. */
export function DialogHost(): ReactNode {
  const open = useSyncExternalStore(dialogs.subscribe, dialogs.get)
  const { pathname } = useLocation()
  // Another page closes the dialogs of the previous one.
  useLayoutEffect(() => () => closeAll(), [pathname])
  return open.map(({ id, dialog }) => <Fragment key={id}>{dialog}</Fragment>)
}

function closeAll(): void {
  for (const { close } of dialogs.get()) close()
}
