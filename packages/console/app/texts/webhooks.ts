export const webhooksTexts = {
  allEvents: 'All events',
  form: {
    enables: { title: 'Saving enables this webhook', action: 'Save and enable' },
    events: 'Events',
  },
  deliveries: {
    periods: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 90 days' },
    dialog: { attempts: 'Attempts' },
  },
  range: {
    title: 'Send the events of a range again',
    event: { one: 'event', other: 'events' },
    stopped: (count: string) => ({
      title: `This range was sent in part: ${count} started`,
      advice: 'If you send it again, it continues where it stopped.',
    }),
    delivery: { one: 'delivery', other: 'deliveries' },
  },
} as const
