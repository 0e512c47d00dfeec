export { type EventData, type EventTypeName, type EventTypePattern, eventTypes } from './event-types.ts'
export type { EventBatch, GatewayEvent, ListEventsInput } from './events.ts'
export * as events from './events.ts'
export { EVENTS_EXPIRED } from './rules.ts'
