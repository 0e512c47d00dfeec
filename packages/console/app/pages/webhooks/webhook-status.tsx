import type { EventWebhook } from '@mintmark/events'
import type { ReactNode } from 'react'
import { StatusBadge, type Statuses } from '../../components/badge.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/number.ts'
import { t } from '../../language/translate.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { getWebhookState, type WebhookState } from './webhook-state.ts'

const states: Statuses<WebhookState> = {
  working: [t('Working'), 'success'],
  failing: [t('Failing'), 'warning'],
  disabled: [t('Disabled'), 'danger'],
}

/** Shows how a webhook works, and since when it has failed. */
export function WebhookStatus({ webhook }: { readonly webhook: EventWebhook }): ReactNode {
  return (
    <span className="row">
      <StatusBadge status={getWebhookState(webhook)} statuses={states} />
      {webhook.failingSince !== undefined && (
        <span className="faint">
          <Time value={webhook.failingSince} />
        </span>
      )}
    </span>
  )
}

/** Formats the events that a webhook receives. */
export function formatEvents({ events }: EventWebhook): string {
  const [first, ...others] = events
  return first === undefined
    ? webhooksTexts.allEvents
    : others.length === 0
      ? first
      : t('{first} and {length} more', { first, length: others.length })
}

/** Formats the rate limit of a webhook. */
export function formatRate({ maxPerSecond }: EventWebhook): string {
  return maxPerSecond === 0
    ? t('No limit')
    : t('{maxPerSecond} per second', { maxPerSecond: formatCount(maxPerSecond) })
}

export const deliveryStatuses = {
  PENDING: [t('Pending'), 'info'],
  DELIVERED: [t('Delivered'), 'success'],
  FAILED: [t('Failed'), 'danger'],
} as const

/** What the receiver responded. */
interface Result {
  /** 0 without a response. */
  readonly responseStatus: number
  readonly error: string
}

/** Formats the response of a receiver, and why the attempt failed; `''` before the first attempt. */
export function formatResponse({ responseStatus, error }: Result): string {
  if (responseStatus === 0 && error === '') return ''
  const status = responseStatus === 0 ? t('No response') : t('HTTP {responseStatus}', { responseStatus })
  return error === '' ? status : `${status}: ${error}`
}
