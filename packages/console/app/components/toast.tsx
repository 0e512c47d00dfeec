import { type ReactNode, useSyncExternalStore } from 'react'
import { t } from '../language/translate.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { createStore } from './store.ts'

const SHOWN_MS = 5000

interface Toast {
  readonly id: number
  readonly message: string
}

const toasts = createStore<readonly Toast[]>([])
let lastId = 0

const dismiss = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/**
 * Shows a short message about something that succeeded, for five seconds. Errors belong to an `ErrorNotice`,
 * which stays.
 */
export function showToast(message: string): void {
  lastId += 1
  const id = lastId
  toasts.set([...toasts.get().slice(-2), { id, message }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Shows the messages of `showToast`. The layout has one. */
export function ToastRegion(): ReactNode {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get)
  return (
    <div className="toasts" role="status" aria-label={t('Notifications')}>
      {shown.map(({ id, message }) => (
        <div key={id} className="toast">
          <Icon name="check" />
          <span>{message}</span>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
