import type { ReactNode } from 'react'
import { formatCount } from '../format/number.ts'
import { t } from '../language/translate.ts'

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
  const range = count === 0 ? t('None||entries') : `${formatCount(first)}–${formatCount(first + count - 1)}`
  // From a page beyond the last one, back to the last one.
  const previous = Math.min(pageNumber - 1, Math.max(1, Math.ceil(total / pageSize)))
  return (
    <nav
      className="section-header pagination"
      aria-label={label === undefined ? t('Pages') : componentTexts.paginationOf(label)}
    >
      <p className="muted numeric" role="status">
        {t('{range} of {total}', { range, total: formatCount(total) })}
      </p>
      <div className="button-group">
        <Button icon="chevronLeft" disabled={pageNumber <= 1} onClick={() => onPage(previous)}>
          {t('Previous')}
        </Button>
        <Button icon="chevronRight" disabled={isLast} onClick={() => onPage(pageNumber + 1)}>
          {t('Next')}
        </Button>
      </div>
    </nav>
  )
}

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
    <nav className="section-header pagination" aria-label={componentTexts.paginationOf(label)}>
      <div className="button-group">
        <Button icon="chevronLeft" disabled={isFirst} onClick={() => onOpen(undefined)}>
          {t('Newest')}
        </Button>
        <Button icon="chevronRight" disabled={next === undefined} onClick={() => onOpen(next)}>
          {t('Older')}
        </Button>
      </div>
    </nav>
  )
}
