import type { ReactNode } from 'react'
import type { LiveState } from '../api/live.ts'
import { shellTexts } from '../texts/shell.ts'

interface LiveMarkProps {
  readonly state: LiveState
}

/** Shows whether pages change as soon as something happens. */
export function LiveMark({ state }: LiveMarkProps): ReactNode {
  return (
    <span className={`live-mark live-mark-${state}`} role="status" title={shellTexts.liveHints[state]}>
      <span className="live-dot" aria-hidden="true" />
      {shellTexts.live[state]}
    </span>
  )
}
