import type { ReactNode } from 'react'
import { formatCount } from '../format/number.ts'
import { componentTexts } from '../texts/shell.ts'
import { Button } from './button.tsx'

interface PaginationProps {
  /** From 1. */
  readonly pageNumber: number
  readonly pageSize: number
  /** The number of items on this page. */
  readonly count: number
  /** The number of items on all pages. */
  readonly total: number
  readonly isLast: boolean
  readonly onPage: (pageNumber: number) => void
  /** What the pages list, for screen readers, where a page of the console has several lists. */
  readonly label?: string | undefined
}

/** Shows which items of a list are on this page, and leads to the next and the previous one. */
export function Pagination(props: PaginationProps): ReactNode {
  const { pageNumber, pageSize, count, total, isLast, onPage, label } = props
  const first = (pageNumber - 1) * pageSize + 1
  const range = count === 0 ? 'None' : `${formatCount(first)}–${formatCount(first + count - 1)}`
  // From a page beyond the last one, back to the last one.
  const previous = Math.min(pageNumber - 1, Math.max(1, Math.ceil(total / pageSize)))
  return (
    <nav
      className="pagination"
      aria-label={label === undefined ? 'Pages' : componentTexts.paginationOf(label)}
    >
      <p className="muted numeric" role="status">
        {`${range} of ${formatCount(total)}`}
      </p>
      <div className="button-group">
        <Button icon="chevronLeft" disabled={pageNumber <= 1} onClick={() => onPage(previous)}>
          Previous
        </Button>
        <Button icon="chevronRight" disabled={isLast} onClick={() => onPage(pageNumber + 1)}>
          Next
        </Button>
      </div>
    </nav>
  )
}
