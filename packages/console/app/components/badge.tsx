import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { readChoice } from '../navigation/search-params.ts'

/**
 * What a status means for a person: `success` is done, `danger` needs attention or failed, `warning` may need
 * it, `info` is in progress.
 */
export type Tone = 'neutral' | 'success' | 'warning' | 'danger' | 'info'

interface BadgeProps {
  readonly tone: Tone
  /** Shown below, such as why. Default and `''`: nothing. */
  readonly note?: string
  readonly children: ReactNode
}

/** Shows a status. Its text says what its color shows. */
export function Badge({ tone, note = '', children }: BadgeProps): ReactNode {
  return (
    <>
      <span className={`badge tone-${tone}`}>{children}</span>
      {note !== '' && <div className="muted break">{note}</div>}
    </>
  )
}

/** The statuses of a record: how each is called, and what it means for a person. */
export type Statuses<Status extends string> = Readonly<Record<Status, readonly [name: string, tone: Tone]>>

interface StatusBadgeProps<Status extends string> {
  readonly status: string
  readonly statuses: Statuses<Status>
  /** As that of a {@link Badge}. */
  readonly note?: string
}

/** Shows a status by its name. One that a newer server added is shown as it is. */
export function StatusBadge<Status extends string>(props: StatusBadgeProps<Status>): ReactNode {
  const { status, statuses, note = '' } = props
  const known = readChoice(status, statuses)
  const [name, tone] = known === undefined ? ([status, 'neutral'] as const) : statuses[known]
  return (
    <Badge tone={tone} note={note}>
      {name}
    </Badge>
  )
}

/** Returns the column of a status. */
export const createStatusColumn = <Status extends string>(statuses: Statuses<Status>) => ({
  label: t('Status'),
  cell: ({ status }: { readonly status: string }) => <StatusBadge status={status} statuses={statuses} />,
})

/** Returns a filter by a status, whose values are those of the operation's input. */
export const createStatusFilter = <Status extends string>(statuses: Statuses<Status>) => ({
  label: t('Status'),
  options: Object.fromEntries(
    Object.entries<readonly [string, Tone]>(statuses).map(([status, [name]]) => [status, name]),
  ),
  // The options are the statuses.
  toInput: (status: string) => ({ status: status as Status }),
})
