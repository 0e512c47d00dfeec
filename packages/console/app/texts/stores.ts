export const storesTexts = {
  title: 'Stores',
  create: 'Add store',
  editOf: (name: string) => `Edit ${name}`,
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
