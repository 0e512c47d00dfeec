import type { Role } from '@mintmark/admin'

/** Texts of the frame around all pages, and of components that many pages share. */
export const shellTexts = {
  product: 'Mintmark',
  skipToContent: 'Skip to content',
  mainNavigation: 'Main',
  menu: 'Menu',
  closeMenu: 'Close the menu',
  noProject: {
    title: 'You have no project yet',
    advice: 'Ask an owner of a project to invite you.',
  },
  unknownProject: {
    title: 'This project is not one of yours',
    advice: 'Choose a project, or ask one of its owners to invite you.',
  },
  hiddenArea: {
    title: 'Your role does not include this page',
    advice: (role: string) => `Your role is ${role}. Ask an owner of the project to change it.`,
  },
  noFacilitator: {
    title: 'No facilitator is connected to this server',
    advice: 'The settings FACILITATOR_URL and FACILITATOR_OPERATOR_TOKEN connect one.',
  },
  operatorsOnly: {
    title: 'Only operators of this server see this page',
    advice: 'The person who runs the server can make you an operator.',
  },
  notFound: {
    title: 'There is no such page',
    advice: 'Check the address, or go to the overview.',
    action: 'Go to the overview',
  },
  project: 'Project',
  chooseProject: (current: string) => `Project ${current}. Choose another one`,
  account: 'Account',
  accountOf: (name: string) => `Account of ${name}`,
  accountSettings: 'Account settings',
  signOut: 'Sign out',
  stillSignedIn: 'You are still signed in',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  live: {
    connecting: 'Connecting',
    live: 'Live',
    reconnecting: 'Reconnecting',
    stopped: 'Not live',
  },
  liveHints: {
    connecting: 'Connecting to the server.',
    live: 'Pages change as soon as something happens.',
    reconnecting: 'The connection was lost. Pages may be out of date until it is back.',
    stopped: 'Pages do not change on their own. Reload the page.',
  },
  offline: 'You are offline. What you see may be out of date.',
  shortcuts: {
    title: 'Keyboard shortcuts',
    open: 'Show keyboard shortcuts',
    search: 'Focus the search',
    go: (page: string) => `Go to ${page}`,
    close: 'Close a dialog or a menu',
    between: 'then',
  },
  loading: 'Loading',
} as const

/** The groups of the navigation. */
export const navigationTexts = {
  groups: {
    work: 'Work',
    sales: 'Sales',
    cards: 'Cards',
    tokens: 'Tokens',
    developers: 'Developers',
    settings: 'Settings',
    operator: 'Operator',
    facilitator: 'Facilitator',
  },
  pages: {
    overview: 'Overview',
    orders: 'Orders',
    scanner: 'Scanner',
    cards: 'Cards',
    campaigns: 'Campaigns',
    stores: 'Stores',
    keys: 'API keys',
    people: 'People',
    events: 'Events',
    webhooks: 'Webhooks',
    audit: 'Audit log',
    explorer: 'API explorer',
    contracts: 'Contracts',
    nfts: 'NFTs',
    minting: 'Lazy minting',
    market: 'Market',
    wallets: 'Wallets',
    operatorHealth: 'Health',
    operatorProjects: 'Projects',
    operatorPeople: 'Operators',
    operatorOrders: 'Stuck orders',
    operatorMints: 'Stuck mints',
    operatorAudit: 'Server audit log',
    facilitatorHealth: 'Facilitator health',
    facilitatorAccounts: 'Accounts',
    facilitatorSettlements: 'Settlements',
    facilitatorChannels: 'Channels',
    facilitatorGrants: 'Sponsored approvals',
    facilitatorReverts: 'Reverts',
    facilitatorLedger: 'Ledger',
  },
} as const

export const roleTexts: Readonly<Record<Role, { readonly name: string; readonly description: string }>> = {
  OWNER: { name: 'Owner', description: 'May do everything, and manages people and API keys.' },
  MANAGER: { name: 'Manager', description: 'May do everything except manage people and API keys.' },
  STAFF: { name: 'Staff', description: 'May scan cards, and see what is needed for that.' },
  AUDITOR: { name: 'Auditor', description: 'May see everything, and change nothing.' },
}

/** Formats a role. A role that a newer server added is shown as it is. */
export function formatRole(role: string): string {
  return roleTexts[role as Role]?.name ?? role
}

export const componentTexts = {
  copy: 'Copy',
  copied: 'Copied',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  search: 'Search',
  clear: 'Clear filters',
  filters: 'Filters',
  optional: 'optional',
  previousPage: 'Previous',
  nextPage: 'Next',
  pagination: 'Pages',
  paginationOf: (list: string) => `Pages of ${list}`,
  /** `1–20 of 1,234` */
  range: (from: string, to: string, total: string) => `${from}–${to} of ${total}`,
  sortAscending: (column: string) => `Sort by ${column}, ascending`,
  sortDescending: (column: string) => `Sort by ${column}, descending`,
  all: 'All',
  none: '—',
  state: 'State',
  /** An amount of a token whose decimals are not known. */
  baseUnits: (amount: string) => `${amount} base units of`,
  yes: 'Yes',
  no: 'No',
  dismiss: 'Dismiss',
  notifications: 'Notifications',
  actions: 'Actions',
  confirmWord: (word: string) => `Type ${word} to confirm`,
  qrCode: (content: string) => `QR code of ${content}`,
  chartTable: 'Show the figures as a table',
  chartPeriod: 'Period',
  chartFailure: 'The chart could not be loaded',
  from: 'From',
  to: 'To',
  openInExplorer: 'Open in the block explorer',
  notFoundTitle: 'Nothing found',
  notFoundAdvice: 'No item matches the filters.',
} as const

export const formTexts = {
  required: 'Enter a value',
  notInteger: 'Enter a whole number',
  notAmount: (decimals: number) =>
    `Enter an amount with at most ${decimals} decimals. Write a point before them, not a comma`,
  notTime: 'Enter a date and a time',
  notAddress: 'Enter an address: 0x and 40 hexadecimal digits',
  notPair: (line: number) => `Line ${line}: enter a name, a colon and a value, as in paper: cotton`,
  otherIssues: 'These values are not valid:',
  discard: {
    title: 'Discard what you typed?',
    advice: 'It is not saved.',
    action: 'Discard',
    keep: 'Keep editing',
  },
} as const
