import { people, Role } from '@mintmark/admin'
import { eventWebhooks } from '@mintmark/events'
import { OrderStatus, orders } from '@mintmark/orders'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Notice } from '../../components/notice.tsx'
import { Skeleton } from '../../components/placeholders.tsx'
import { formatQuantity } from '../../format/number.ts'
import { mayOpen } from '../../navigation/areas.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useProject, useSession } from '../../session/project-context.tsx'
import { overviewTexts } from '../../texts/overview.ts'

const texts = overviewTexts.attention

/** Lists what somebody should look at, the most urgent first. */
export function Attention(): ReactNode {
  const { role } = useProject()
  const { hasSecondFactor } = useSession()
  const unresolved = useOperation(orders.list, { orderStatus: OrderStatus.UNRESOLVED, pageSize: 1 })
  const webhooks = useOperation(eventWebhooks.list, {})
  const mayReadPeople = mayOpen(role, 'people')
  const members = useOperation(people.list, {}, { enabled: mayReadPeople })
  const error = unresolved.error ?? webhooks.error ?? members.error
  const isLoading = unresolved.isPending || webhooks.isPending || (mayReadPeople && members.isPending)
  const failing = (webhooks.data ?? []).filter(
    ({ status, failingSince }) => status === 'DISABLED' || failingSince !== undefined,
  )
  const unresolvedCount = unresolved.data?.totalRow ?? 0
  const unprotected = (members.data ?? []).filter(
    (person) => !person.hasSecondFactor && (person.role === Role.OWNER || person.role === Role.MANAGER),
  ).length
  const isCalm = unresolvedCount === 0 && failing.length === 0 && unprotected === 0 && hasSecondFactor
  return (
    <Section title={texts.title}>
      <ErrorNotice error={error} />
      {isLoading && error === null && <Skeleton lines={2} />}
      {!isLoading && error === null && isCalm && <Notice tone="success" title={texts.nothing} />}
      {unresolvedCount > 0 && <UnresolvedNotice count={unresolvedCount} />}
      {failing.map(({ id, url, status }) => (
        <WebhookNotice key={id} url={url} isDisabled={status === 'DISABLED'} />
      ))}
      {!hasSecondFactor && (
        <Notice
          tone="warning"
          title={texts.own}
          advice={texts.ownAdvice}
          action={<Link to="/account">{texts.turnOn}</Link>}
        />
      )}
      {unprotected > 0 && (
        <Notice
          tone="info"
          title={texts.people(formatQuantity(unprotected, overviewTexts.owner))}
          advice={texts.peopleAdvice}
          action={<ProjectLink to="people">{texts.showPeople}</ProjectLink>}
        />
      )}
    </Section>
  )
}

function UnresolvedNotice({ count }: { readonly count: number }): ReactNode {
  return (
    <Notice
      tone="danger"
      title={texts.unresolved(formatQuantity(count, overviewTexts.order))}
      advice={texts.unresolvedAdvice}
      action={
        <ProjectLink to="orders" search={{ status: String(OrderStatus.UNRESOLVED) }}>
          {texts.showOrders}
        </ProjectLink>
      }
    />
  )
}

interface WebhookNoticeProps {
  readonly url: string
  readonly isDisabled: boolean
}

function WebhookNotice({ url, isDisabled }: WebhookNoticeProps): ReactNode {
  return isDisabled ? (
    <Notice tone="danger" title={texts.webhookDisabled(url)} advice={texts.webhookDisabledAdvice} />
  ) : (
    <Notice tone="warning" title={texts.webhook(url)} advice={texts.webhookAdvice} />
  )
}
