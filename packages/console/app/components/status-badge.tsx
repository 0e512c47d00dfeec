import type { ReactNode } from 'react'
import { readChoice } from '../navigation/search-params.ts'
import { Badge, type Tone } from './badge.tsx'

interface StatusBadgeProps<Status extends string> {
  readonly status: string
  readonly names: Readonly<Record<Status, string>>
  readonly tones: Readonly<Record<Status, Tone>>
}

/** Shows a status by its name. One that a newer server added is shown as it is. */
export function StatusBadge<Status extends string>(props: StatusBadgeProps<Status>): ReactNode {
  const { status, names, tones } = props
  const known = readChoice(status, names)
  return <Badge tone={known ? tones[known] : 'neutral'}>{known ? names[known] : status}</Badge>
}

/** Returns the column of a status. */
export const createStatusColumn = <Status extends string>(
  names: Readonly<Record<Status, string>>,
  tones: Readonly<Record<Status, Tone>>,
) => ({
  label: 'Status',
  cell: ({ status }: { readonly status: string }) => (
    <StatusBadge status={status} names={names} tones={tones} />
  ),
})
