import type { EventType } from '../events/record-event.ts'

const descriptions: Readonly<Record<EventType, string>> = {
  'settlement.settled': 'A payment was settled and its settle charged.',
  'settlement.failed': 'A payment failed permanently.',
  'settlement.unknown': 'The outcome of a settle is not known yet. Another event will report it.',
  'settlement.reconciled': 'The unknown outcome of a settle was found out.',
  'payer_quota.registered': 'A payer quota was registered, or replaced by this one.',
  'payer_quota.revoked': 'A payer quota was revoked by its payer.',
  'payer_quota.exhausted': 'A payer quota cannot pay for another settle.',
  'payer_balance.credited': "The payer's balance has grown.",
  'payer_balance.low': "The payer's balance will soon be too small for a settle.",
}

/** The types of events that webhooks receive, with descriptions. */
export const eventTypes = Object.entries(descriptions).map(([type, description]) => ({ type, description }))

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(descriptions, type)
}
