import type { ReactNode } from 'react'

/**
 * What a status means for a person: `success` is done, `danger` needs attention or failed, `warning` may need
 * it, `info` is in progress.
 */
export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info'

/** Shows a status. Its text says what its color shows. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode {
  return <span className={`badge tone-${tone}`}>{children}</span>
}
