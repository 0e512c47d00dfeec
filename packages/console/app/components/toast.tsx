import { type ReactNode, useSyncExternalStore } from 'react'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'

const SHOWN_MS = 5000

interface Toast {
  readonly id: number
  readonly message: string
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function update(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => update(toasts.filter((toast) => toast.id !== id))

/**
 * Shows a short message about something that succeeded, for five seconds. Errors belong to an `ErrorNotice`,
 * which stays.
 */
export function showToast(message: string): void {
  lastId += 1
  const id = lastId
  update([...toasts.slice(-2), { id, message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

/** Shows the messages of `showToast`. The layout has one. */
export function ToastRegion(): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className="toasts" role="status" aria-label="Notifications">
      {shown.map(({ id, message }) => (
        <div key={id} className="toast">
          <Icon name="check" />
          <span>{message}</span>
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
