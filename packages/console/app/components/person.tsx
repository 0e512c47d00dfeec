import type { Person } from '@mintmark/admin'
import type { ReactNode } from 'react'
import { t } from '../language/translate.ts'
import { useSession } from '../session/project-context.tsx'
import { componentTexts } from '../texts/shell.ts'
import { Badge } from './badge.tsx'
import { Time } from './time.tsx'

/** Shows the name and the email address of a person. */
export function PersonName({
  person: { personId, name, email },
}: {
  readonly person: Pick<Person, 'personId' | 'name' | 'email'>
}): ReactNode {
  const session = useSession()
  return (
    <div>
      <span className="row">
        <strong className="break">{name}</strong>
        {personId === session.personId && <Badge tone="info">{t('You')}</Badge>}
      </span>
      <span className="muted break">{email}</span>
    </div>
  )
}

/** Shows whether a person signs in with a second factor. */
export function SecondFactorBadge({ hasSecondFactor }: Pick<Person, 'hasSecondFactor'>): ReactNode {
  return (
    <Badge tone={hasSecondFactor ? 'success' : 'warning'}>
      {hasSecondFactor ? componentTexts.yes : componentTexts.no}
    </Badge>
  )
}

/** Shows when a person used the console last. */
export function LastSeen({ lastSeenTime }: Pick<Person, 'lastSeenTime'>): ReactNode {
  return lastSeenTime === undefined ? (
    <span className="faint">{t('Not signed in')}</span>
  ) : (
    <Time value={lastSeenTime} />
  )
}
