import { people } from '@mintmark/admin'
import { eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { Icon } from '../../components/icon.tsx'
import { t } from '../../language/translate.ts'
import { mayOpen } from '../../navigation/areas.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { DEFAULT_DAYS, useProjectTotals } from './project-totals.ts'

const FIRST = { pageSize: 1 }

/** How a new project redeems its first card. Nothing as soon as it has redeemed one, or has orders. */
export function FirstSteps(): ReactNode {
  const { role } = useProject()
  const mayInvite = mayOpen(role, 'people')
  const { data: totals } = useProjectTotals(DEFAULT_DAYS)
  // Only projects in which nothing has happened for two months read more.
  const isQuiet = [...(totals?.scansAccepted ?? [1]), ...(totals?.ordersPlaced ?? [])].every(
    (count) => count === 0,
  )
  const enabled = useMayChange() && isQuiet
  const cards = [
    useOperation(promoCodeCards.search, FIRST, { enabled }).data,
    useOperation(eventCards.search, FIRST, { enabled }).data,
    useOperation(membershipCards.search, FIRST, { enabled }).data,
  ]
  const scans = [
    useOperation(promoCodeCards.verifications, {}, { enabled }).data,
    useOperation(eventCards.verifications, {}, { enabled }).data,
    useOperation(membershipCards.verifications, {}, { enabled }).data,
  ]
  const members = useOperation(people.list, {}, { enabled: enabled && mayInvite }).data ?? []
  const isNew = scans.every((page) => page?.list.every(({ result }) => result === 'REFUSED'))
  if (!enabled || !isNew) return null
  const hasCard = cards.some((page) => page?.list.length)
  return (
    <Section title={t('First steps')}>
      <ol className="panel first-steps" aria-label={t('First steps')}>
        <Step
          to="cards/promo-code/new"
          label={t('Create a card')}
          advice={t('Such as a free coffee. It has a QR code that your customers show.')}
          isDone={hasCard}
        />
        <Step
          to="cards"
          label={t('Print it, or send its link')}
          advice={t('The page of each card has its QR code and its link.')}
        />
        {mayInvite && (
          <Step
            to="people"
            label={t('Invite your staff')}
            advice={t('They scan cards at the counter, and cannot change anything else.')}
            isDone={members.length > 1}
          />
        )}
        <Step
          to="scanner"
          label={t('Scan the card')}
          advice={t('With the camera of a phone. The first redeemed card ends this list.')}
        />
      </ol>
    </Section>
  )
}

interface StepProps {
  readonly to: string
  readonly label: string
  readonly advice: string
  readonly isDone?: boolean
}

function Step({ to, label, advice, isDone = false }: StepProps): ReactNode {
  return (
    <li>
      <ProjectLink to={to}>{label}</ProjectLink>
      {isDone && <Icon name="check" label={t('Done||step')} />}
      <p className="muted">{advice}</p>
    </li>
  )
}
