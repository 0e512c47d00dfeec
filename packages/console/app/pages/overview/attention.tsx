import { people, Role } from '@mintmark/admin'
import { type EventWebhook, eventWebhooks } from '@mintmark/events'
import { OrderStatus, orders } from '@mintmark/orders'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useOperation } from '../../api/operations.ts'
import { Section } from '../../components/detail-list.tsx'
import { ErrorNotice, Notice } from '../../components/notice.tsx'
import { t } from '../../language/translate.ts'
import { mayOpen } from '../../navigation/areas.ts'
import { ProjectLink } from '../../navigation/project-link.tsx'
import { useProject, useSession } from '../../session/project-context.tsx'

/** What waits for a person, the most urgent first, and a line about second factors. Nothing if all is well. */
export function Attention(): ReactNode {
  const unresolved = useOperation(orders.list, { orderStatus: OrderStatus.UNRESOLVED, pageSize: 1 })
  const owed = useOperation(orders.list, { refundDue: true, pageSize: 1 })
  const webhooks = useOperation(eventWebhooks.list, {})
  const error = unresolved.error ?? owed.error ?? webhooks.error
  const failing = (webhooks.data ?? []).filter(
    ({ status, failingSince }) => status === 'DISABLED' || failingSince !== undefined,
  )
  const unresolvedCount = unresolved.data?.totalRow ?? 0
  const owedCount = owed.data?.totalRow ?? 0
  return (
    <>
      {(error !== null || unresolvedCount > 0 || owedCount > 0 || failing.length > 0) && (
        <Section title={t('Needs attention')}>
          <ErrorNotice error={error} />
          {unresolvedCount > 0 && (
            <OrdersNotice
              title={t('{orders} cannot be decided by the server', {
                orders: formatOrders(unresolvedCount),
              })}
              advice={t('The payment is not what was ordered. The page of each order says what to do.')}
              search={{ status: String(OrderStatus.UNRESOLVED) }}
            />
          )}
          {owedCount > 0 && (
            <OrdersNotice
              title={t('A refund is due for {orders}', { orders: formatOrders(owedCount) })}
              advice={t('The page of each order shows how much to send, and to whom.')}
              search={{ refund: 'due' }}
            />
          )}
          {failing.map((webhook) => (
            <WebhookNotice key={webhook.id} webhook={webhook} />
          ))}
        </Section>
      )}
      <SecurityLine />
    </>
  )
}

const formatOrders = (count: number) => t('{count, plural, one {# order} other {# orders}}', { count })

interface OrdersNoticeProps {
  readonly title: string
  readonly advice: string
  /** Selects the orders on their page. */
  readonly search: Readonly<Record<string, string>>
}

function OrdersNotice({ title, advice, search }: OrdersNoticeProps): ReactNode {
  const action = (
    <ProjectLink to="orders" search={search}>
      {t('Show them')}
    </ProjectLink>
  )
  return <Notice tone="danger" title={title} advice={advice} action={action} />
}

function WebhookNotice({ webhook: { id, url, status } }: { readonly webhook: EventWebhook }): ReactNode {
  const action = <ProjectLink to={`webhooks/${id}`}>{t('Show it')}</ProjectLink>
  return status === 'DISABLED' ? (
    <Notice
      tone="danger"
      title={t('The webhook {url} is disabled', { url })}
      advice={t('Its receiver failed for five days. Repair the receiver, then enable the webhook.')}
      action={action}
    />
  ) : (
    <Notice
      tone="warning"
      title={t('The webhook {url} does not accept events', { url })}
      advice={t('Its receiver has failed for some time. After five days, the gateway disables it.')}
      action={action}
    />
  )
}

/** Names who with many rights signs in without a second factor: the person, or others. */
function SecurityLine(): ReactNode {
  const { role } = useProject()
  const { hasSecondFactor } = useSession()
  const { data: members = [] } = useOperation(people.list, {}, { enabled: mayOpen(role, 'people') })
  if (!hasSecondFactor) {
    return (
      <p className="muted quiet-line">
        {t('You sign in without a second factor.')} <Link to="/account">{t('Turn it on')}</Link>
      </p>
    )
  }
  const others = members.filter(
    (member) => !member.hasSecondFactor && (member.role === Role.OWNER || member.role === Role.MANAGER),
  ).length
  if (others === 0) return null
  return (
    <p className="muted quiet-line">
      {t(
        '{count, plural, one {# owner or manager signs} other {# owners and managers sign}} in without a second factor.',
        { count: others },
      )}{' '}
      <ProjectLink to="people">{t('Show people')}</ProjectLink>
    </p>
  )
}
