import { type ReactNode, useSyncExternalStore } from 'react'
import { formatExactTime, formatRelativeTime } from '../format/time.ts'
import { componentTexts } from '../texts/shell.ts'

const TICK_MS = 15_000

/** One clock for all relative times of a page. */
const clock = {
  now: Date.now(),
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
}

function subscribeToClock(notify: () => void): () => void {
  clock.listeners.add(notify)
  clock.timer ??= setInterval(() => {
    clock.now = Date.now()
    for (const listener of clock.listeners) listener()
  }, TICK_MS)
  return () => {
    clock.listeners.delete(notify)
    if (clock.listeners.size > 0) return
    clearInterval(clock.timer)
    clock.timer = undefined
  }
}

/**
 * Returns the time of this render in milliseconds since the epoch, and renders the component again every 15
 * seconds.
 */
export function useNow(): number {
  useSyncExternalStore(subscribeToClock, () => clock.now)
  // What a component shows can be younger than the last tick, such as a key that was just revoked.
  return Date.now()
}

interface TimeProps {
  /** ISO 8601. Undefined and an empty text are shown as a dash. */
  readonly value: string | undefined
}

/** Shows a time relative to now, and the exact time when it is pointed at. */
export function Time({ value }: TimeProps): ReactNode {
  const now = useNow()
  if (value === undefined || value === '') return <span className="faint">{componentTexts.none}</span>
  const text = formatRelativeTime(value, now)
  return (
    <time dateTime={value} title={formatExactTime(value)}>
      {text}
    </time>
  )
}
