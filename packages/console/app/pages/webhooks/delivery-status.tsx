import type { EventDelivery } from '@mintmark/events'
import type { ReactNode } from 'react'
import { Badge } from '../../components/badge.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { getDeliveryTone } from './webhook-state.ts'

const { deliveries: texts } = webhooksTexts

/** Shows the status of a delivery. */
export function DeliveryStatus({ delivery }: { readonly delivery: EventDelivery }): ReactNode {
  const names: Readonly<Record<string, string>> = texts.statuses
  return <Badge tone={getDeliveryTone(delivery)}>{names[delivery.status] ?? delivery.status}</Badge>
}

/** What the receiver responded. */
interface Result {
  /** 0 without a response. */
  readonly responseStatus: number
  readonly error: string
}

/** Formats the response of a receiver, and why the attempt failed; `''` before the first attempt. */
export function formatResponse({ responseStatus, error }: Result): string {
  if (responseStatus === 0 && error === '') return ''
  const status = responseStatus === 0 ? 'No response' : `HTTP ${responseStatus}`
  return error === '' ? status : `${status}: ${error}`
}
