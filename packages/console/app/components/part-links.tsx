import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'

interface PartLinksProps {
  /** Whether the newest part is shown. */
  readonly isFirst: boolean
  /** Where the next part begins; undefined at the end of the list. */
  readonly next: number | undefined
  /** Opens the part that begins before an id, or the newest one. */
  readonly onOpen: (before: number | undefined) => void
  /** What the list has, for screen readers. */
  readonly label: string
}

/** Leads to the next part of a list without a number of pages, and back to its beginning. */
export function PartLinks({ isFirst, next, onOpen, label }: PartLinksProps): ReactNode {
  if (isFirst && next === undefined) return null
  return (
    <nav className="pagination" aria-label={componentTexts.paginationOf(label)}>
      <div className="button-group">
        <Button icon="chevronLeft" disabled={isFirst} onClick={() => onOpen(undefined)}>
          Newest
        </Button>
        <Button icon="chevronRight" disabled={next === undefined} onClick={() => onOpen(next)}>
          Older
        </Button>
      </div>
    </nav>
  )
}
