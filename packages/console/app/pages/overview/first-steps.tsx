import { dailyTotals, people } from '@mintmark/admin'
import { eventCards, membershipCards, promoCodeCards } from '@mintmark/cards'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { Icon } from '../../components/icon.tsx'
import { getTimeZone } from '../../format/time.ts'
import { mayOpen } from '../../navigation/areas.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useMayChange, useProject } from '../../session/project-context.tsx'
import { overviewTexts } from '../../texts/overview.ts'

const texts = overviewTexts.firstSteps
const FIRST = { pageSize: 1 }

/** How a new project redeems its first card. Nothing as soon as it has redeemed one, or has orders. */
export function FirstSteps(): ReactNode {
  const { role } = useProject()
  const mayInvite = mayOpen(role, 'people')
  const { data: totals } = useOperation(dailyTotals.get, { timeZone: getTimeZone() })
  // Only projects in which nothing has happened for a month read more.
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
    <Section title={texts.title}>
      <ol className="panel first-steps" aria-label={texts.title}>
        <Step to="cards/promo-code/new" label={texts.create} advice={texts.createAdvice} isDone={hasCard} />
        <Step to="cards" label={texts.send} advice={texts.sendAdvice} />
        {mayInvite && (
          <Step to="people" label={texts.invite} advice={texts.inviteAdvice} isDone={members.length > 1} />
        )}
        <Step to="scanner" label={texts.scan} advice={texts.scanAdvice} />
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
      {isDone && <Icon name="check" label={texts.done} />}
      <p className="muted">{advice}</p>
    </li>
  )
}
