import type { ReactNode } from 'react'
import { componentTexts } from '../texts/shell.ts'
import { type Action, ActionButtons } from './actions.tsx'
import type { IconName } from './icon.tsx'
import { EmptyState } from './placeholders.tsx'

/** Says that there are no records, and what to do about it. */
export interface EmptyTexts {
  readonly icon: IconName
  readonly title: string
  readonly advice?: string
  /** The advice for a person who may change nothing. Default: `advice`. */
  readonly adviceToRead?: string
  /** The next step. */
  readonly action?: Action
}

/** Shows that there are no records. */
export function Empty({ action, ...texts }: EmptyTexts): ReactNode {
  return <EmptyState {...texts} action={action && <ActionButtons actions={[action]} />} />
}

interface NoRowsProps {
  readonly empty: EmptyTexts
  readonly emptyPart?: { readonly title: string; readonly advice: string }
  readonly isFiltered: boolean
  /** Whether the rest of the list is not searched yet. */
  readonly hasMore?: boolean
}

/** Shows that a list has no records, or that none matches. */
export function NoRows({ empty, emptyPart, isFiltered, hasMore = false }: NoRowsProps): ReactNode {
  if (hasMore && emptyPart !== undefined) return <EmptyState icon="search" {...emptyPart} />
  if (!isFiltered) return <Empty {...empty} />
  return (
    <EmptyState icon="search" title={componentTexts.notFoundTitle} advice={componentTexts.notFoundAdvice} />
  )
}
