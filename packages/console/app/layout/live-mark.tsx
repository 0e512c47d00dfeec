import type { ReactNode } from 'react'
import type { LiveState } from '../api/live.ts'
import { shellTexts } from '../texts/shell.ts'

/** Shows whether pages change as soon as something happens. */
export function LiveMark({ state }: { readonly state: LiveState }): ReactNode {
  return (
    <span className={`live-mark live-mark-${state}`} role="status" title={shellTexts.liveHints[state]}>
      <span className="live-dot" aria-hidden="true" />
      {shellTexts.live[state]}
    </span>
  )
}
