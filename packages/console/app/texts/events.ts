export const eventsTexts = {
  event: { one: 'event', other: 'events' },
} as const
