import type { ReactNode } from 'react'
import { useMayChange } from '../session/project-context.tsx'
import { shellTexts } from '../texts/shell.ts'
import { Icon, type IconName } from './icon.tsx'

/** Takes the place of a text that is being read. */
export function Skeleton(): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{shellTexts.loading}</span>
      {Array.from({ length: 6 }, (_, line) => (
        <span key={line} className="skeleton-line" />
      ))}
    </div>
  )
}

interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  /** What the person can do, or what will appear here. */
  readonly advice?: string
  /** The advice for a person who may change nothing in the project. Default: `advice`. */
  readonly adviceToRead?: string
  /** A button or a link. */
  readonly action?: ReactNode
}

/** Says that a list has no items, and what to do about it. */
export function EmptyState({ icon, title, advice, adviceToRead, action }: EmptyStateProps): ReactNode {
  const mayChange = useMayChange()
  const shown = mayChange ? advice : (adviceToRead ?? advice)
  return (
    <div className="empty-state">
      <Icon name={icon} />
      <p className="empty-state-title">{title}</p>
      {shown !== undefined && <p className="muted">{shown}</p>}
      {action}
    </div>
  )
}
