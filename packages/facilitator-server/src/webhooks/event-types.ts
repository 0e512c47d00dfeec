import type { EventType } from '../events/record-event.ts'

const descriptions: Readonly<Record<EventType, string>> = {
  'settlement.settled': 'A payment was settled and its settle charged.',
  'settlement.failed': 'A payment failed for good.',
  'settlement.unknown': 'The outcome of a settle is not known yet; another event tells it later.',
  'settlement.reconciled': 'The outcome of a settle that was unknown has been found out.',
  'payer_quota.registered': 'A payer quota was registered, or replaced by this one.',
  'payer_quota.revoked': 'A payer quota was revoked by its payer.',
  'payer_quota.exhausted': 'A payer quota cannot pay for another settle.',
  'payer_balance.credited': "The payer's balance has grown.",
  'payer_balance.low': "The payer's balance will soon be too small for a settle.",
}

/** The types of events that can be sent, with what each tells. */
export const eventTypes = Object.entries(descriptions).map(([type, description]) => ({ type, description }))

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(descriptions, type)
}
