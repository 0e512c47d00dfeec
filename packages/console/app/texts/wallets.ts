/** Texts of the pages of wallets. */
export const walletsTexts = {
  title: 'Wallets',
  notAnAddress: {
    title: 'This is not an address',
    advice: 'Enter 0x and 40 hexadecimal digits to open a wallet.',
  },
} as const

export const profileTexts = {
  fields: {
    name: { label: 'Name', description: 'At most 200 characters.' },
    email: { label: 'Email' },
    description: { label: 'About' },
    background: { label: 'Background', description: 'An address that begins with https://.' },
    showcaseBackground: {
      label: 'Background of the showcase',
      description: 'An address that begins with https://.',
    },
  },
} as const

export const messagesTexts = {
  title: 'Messages',
  unread: { one: 'unread message', other: 'unread messages' },
  send: 'Send',
  sent: 'The message is sent',
} as const
