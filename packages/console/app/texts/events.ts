export const eventsTexts = {
  allOfGroup: (group: string) => `All of ${group}`,
  event: { one: 'event', other: 'events' },
} as const
