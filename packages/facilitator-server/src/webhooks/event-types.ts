import { webhookEvents } from '@mintmark/facilitator'
import type { EventType } from '../events/record-event.ts'

/** The types of events that webhooks receive, with descriptions. */
export const eventTypes = Object.entries(webhookEvents).map(([type, { description }]) => ({
  type,
  description,
}))

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(webhookEvents, type)
}
