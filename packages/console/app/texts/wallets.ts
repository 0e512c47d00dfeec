/** Texts of the pages of wallets. */
export const walletsTexts = {
  title: 'Wallets',
  description:
    'Profiles of wallets, their address books, followers and messages. Here are the profiles that changed within the time for which the gateway keeps events.',
  search: 'Open a wallet by its address',
  notAnAddress: {
    title: 'This is not an address',
    advice: 'Enter 0x and 40 hexadecimal digits to open a wallet.',
  },
  own: 'Your wallet',
  empty: {
    title: 'No profiles yet',
    advice: 'Enter the address of a wallet above. Its profile can be added on its page.',
    adviceToRead: 'Enter the address of a wallet above to see its page.',
  },
  truncated: 'The gateway has more events about wallets than were read. Open others by their address.',
  columns: { name: 'Name', address: 'Address', description: 'About', changed: 'Changed' },
  noName: 'No name',
  walletTitle: (name: string) => `Wallet ${name}`,
  views: {
    label: 'Parts of the wallet',
    profile: 'Profile',
    book: 'Address book',
    followers: 'Followers',
    following: 'Following',
    messages: 'Messages',
  },
  tokens: 'Tokens of this wallet',
  photo: (name: string) => `Photo of ${name}`,
} as const

export const profileTexts = {
  title: 'Profile',
  missing: {
    title: 'This wallet has no profile',
    advice: 'Add one to show a name instead of the address.',
    adviceToRead: 'The console shows its address instead of a name.',
  },
  add: 'Add profile',
  edit: 'Edit profile',
  saved: 'The profile is saved',
  fields: {
    name: { label: 'Name', description: 'At most 200 characters.' },
    email: { label: 'Email' },
    description: { label: 'About' },
    profilePhoto: { label: 'Photo', description: 'An address that begins with https://.' },
    background: { label: 'Background', description: 'An address that begins with https://.' },
    showcaseBackground: {
      label: 'Background of the showcase',
      description: 'An address that begins with https://.',
    },
  },
  address: 'Address',
} as const

export const bookTexts = {
  title: 'Address book',
  search: 'Search by name, note or address',
  add: 'Add address',
  import: 'Import followed wallets',
  imported: { one: 'address is imported', other: 'addresses are imported' },
  importMore: 'There may be more: import again.',
  nothingToImport: 'All followed wallets are in the address book already',
  empty: {
    title: 'The address book is empty',
    advice: 'Add an address, or import the wallets that this wallet follows.',
    adviceToRead: 'The addresses that this wallet names appear here.',
  },
  columns: { name: 'Name', address: 'Address', remark: 'Note', added: 'Added' },
  noName: 'No name',
  fields: {
    address: { label: 'Address' },
    name: { label: 'Name', description: 'At most 200 characters.' },
    remark: { label: 'Note' },
  },
  added: (name: string) => `${name} is in the address book`,
  saved: (name: string) => `${name} is saved`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name} from the address book?`,
  removeWarning: 'The name and the note are lost. You can add the address again.',
  removed: (name: string) => `${name} is removed`,
  actionsOf: (name: string) => `Actions for ${name}`,
} as const

export const fansTexts = {
  followers: {
    title: 'Followers',
    empty: { title: 'No followers yet', advice: 'Wallets that follow this wallet appear here.' },
  },
  following: {
    title: 'Following',
    empty: { title: 'This wallet follows nobody', advice: 'Wallets that it follows appear here.' },
  },
  columns: { wallet: 'Wallet', since: 'Since' },
} as const

export const messagesTexts = {
  title: 'Messages',
  empty: { title: 'No messages yet', advice: 'Conversations of this wallet appear here.' },
  newest: 'The newest 250 conversations are shown.',
  unread: { one: 'unread message', other: 'unread messages' },
  conversation: (name: string) => `Messages with ${name}`,
  back: 'All conversations',
  markRead: 'Mark as read',
  marked: 'The messages are marked as read',
  start: 'New message',
  recipient: { label: 'Recipient', description: 'The address of the wallet that gets the message.' },
  content: { label: 'Message', description: '1 to 4,000 characters. It is sent in the name of this wallet.' },
  reply: { label: 'Reply', description: 'It is sent in the name of this wallet.' },
  send: 'Send',
  sent: 'The message is sent',
  none: {
    title: 'No messages with this wallet',
    advice: 'Write the first one below.',
    adviceToRead: 'Messages between both wallets appear here.',
  },
  older: 'Older messages',
  newer: 'Newer messages',
  me: 'This wallet',
  replyTo: (id: number) => `Reply to message ${id}`,
} as const
