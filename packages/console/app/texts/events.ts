export const eventsTexts = {
  title: 'Events',
  description:
    'Everything that happened in the project, newest first. Webhooks send the same events to your programs.',
  search: 'Search by subject, order number or address',
  type: 'Type',
  allOfGroup: (group: string) => `All of ${group}`,
  columns: { type: 'What happened', subject: 'Subject', time: 'When', sequence: 'Number' },
  label: 'Events',
  empty: {
    title: 'No events yet',
    advice: 'Events appear as soon as something happens in the project, such as a new card or an order.',
  },
  emptyFiltered: {
    title: 'No such event found',
    advice: (place: string) => `Searched all events down to number ${place}.`,
    adviceAll:
      'The whole feed was searched. Events are stored for a limited time, so older ones may be gone.',
  },
  older: 'Show older events',
  searchOlder: 'Search older events',
  isFirst: 'This is the oldest stored event that matches.',
  shown: (events: string) => `${events} shown.`,
  event: { one: 'event', other: 'events' },
  details: {
    title: (type: string) => `Event ${type}`.trim(),
    subject: 'Subject',
    time: 'When',
    sequence: 'Number in the feed',
    id: 'Id',
    data: 'The event as JSON',
    sameSubject: 'All events of this subject',
    missing: {
      title: 'There is no such event',
      advice: 'It may have been deleted because of its age.',
    },
  },
} as const
