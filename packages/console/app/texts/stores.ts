export const storesTexts = {
  title: 'Stores',
  description: 'Where customers show their cards. Cards and scanners choose from these stores.',
  create: 'Add store',
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  saved: (name: string) => `${name} is saved`,
  empty: {
    title: 'No stores yet',
    advice:
      'You need this page only with several stores. Once you add one, cards and scanners can use only the stores that are listed here.',
    adviceToRead: 'Stores appear here when a manager adds them.',
  },
  statuses: { OPEN: 'Open', CLOSED: 'Closed' },
  fields: {
    name: {
      label: 'Name',
      description: 'What staff choose at the scanner. Cards of the store follow it to another name.',
    },
    code: { label: 'Code', description: 'A short code that can be used instead, such as BER1.' },
    address: { label: 'Address', description: 'For your own information.' },
    timeZone: { label: 'Time zone', description: 'Where its days begin, such as Europe/Berlin.' },
    status: { label: 'Status', description: 'Closed: new cards cannot name it. Issued cards keep it.' },
  },
} as const
