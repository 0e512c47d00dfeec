import type { CardStatus } from '@mintmark/cards'

/** The texts of each program of cards. */
export const programTexts = {
  promoCodeCards: {
    title: 'Promo code cards',
    tab: 'Promo code',
    single: 'Promo code card',
    description: 'Customers redeem them at the counter, such as a free coffee. A card can have several uses.',
    create: 'Create promo code card',
    usesColumn: 'Uses',
    supply: (count: string) => (count === '1' ? '1 use' : `${count} uses`),
  },
  eventCards: {
    title: 'Event cards',
    tab: 'Event',
    single: 'Event card',
    description: 'Guests check in with them, once each.',
    create: 'Create event card',
    usesColumn: 'Entrance',
    supply: (count: string) => `${count} issued`,
  },
  membershipCards: {
    title: 'Membership cards',
    tab: 'Membership',
    single: 'Membership card',
    description: 'Members show them at each visit. They count once a day in each store.',
    create: 'Create membership card',
    usesColumn: 'Level',
    supply: (count: string) => `${count} issued`,
  },
  commemorativeCards: {
    title: 'Commemorative cards',
    tab: 'Commemorative',
    single: 'Commemorative card',
    description: 'They remember an occasion. Nothing is redeemed with them.',
    create: 'Create commemorative card',
    usesColumn: 'Amount',
    supply: (count: string) => `${count} issued`,
  },
} as const

export const cardStatusTexts: Readonly<Record<CardStatus, string>> = {
  ACTIVE: 'Valid',
  NOT_YET_VALID: 'Not valid yet',
  EXHAUSTED: 'Used',
  EXPIRED: 'Expired',
  REMOVED: 'Removed',
}

export const cardsTexts = {
  programs: 'Kinds of cards',
  search: 'Search by name',
  status: 'Status',
  columns: { name: 'Name', status: 'Status', start: 'Valid from', end: 'Valid until', created: 'Created' },
  create: 'Create card',
  import: 'Import',
  export: 'Export',
  print: 'Print QR codes',
  cardNumber: (id: number) => `Card ${id}`,
  empty: {
    title: 'No cards yet',
    advice: 'Create a card, or import many from a CSV file.',
    adviceToRead: 'Cards appear here when a manager creates them.',
  },
  exportDialog: {
    title: 'Export cards',
    all: 'Saves all cards of this kind as a CSV file, which spreadsheets open.',
    filtered: 'Saves the cards that the search and the status select as a CSV file, which spreadsheets open.',
    warning: 'The file contains the links of the cards',
    warningAdvice:
      'Whoever has the link of a card has the card. Keep the file where only your team reads it.',
    progress: (count: string) => `${count} cards read`,
    action: 'Export',
  },
} as const

export const cardTexts = {
  uses: (used: string, total: string) => `${used} of ${total} used`,
  checkedIn: 'Checked in',
  notCheckedIn: 'Not checked in',
  noLevel: 'No level',
  supply: 'Supply',
  chain: 'Chain',
  created: 'Created',
  id: 'Number',
  reference: 'Your reference',
  allStores: 'All stores',
  qrCode: 'QR code',
  qrCodeOf: (name: string) => name,
  copyCode: 'Copy the code',
  copyLink: 'Copy the link',
  codeWarning: 'Whoever has the code has the card.',
  download: 'Download',
  print: 'Print',
  openPage: 'Open the page of the card',
  ownCode: {
    title: 'This card has a QR code of its own',
    advice: 'Its creator has set the address of a picture. The code of the card is only in that picture.',
  },
  hiddenCode: {
    title: 'Only owners and managers see the QR code',
    advice: 'To redeem the card, scan the code that its holder shows.',
  },
  edit: 'Edit',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeWarning:
    'From now on it is refused at the counter, and its page is gone. This cannot be undone. Its scans stay in the history.',
  removed: (name: string) => `${name} is removed`,
} as const

/** The fields of cards. */
export const cardFieldTexts = {
  name: { label: 'Name', description: 'What customers read on the card, at most 200 characters.' },
  contract: {
    label: 'Contract',
    description:
      'The NFT contract that the card belongs to. Without one, it belongs to the cards of the project.',
  },
  contractOption: (name: string, address: string) => `${name} (${address})`,
  nftAddress: {
    label: 'Contract address',
    description:
      'The address of the NFT contract that the card belongs to. Without one, it belongs to the cards of the project.',
  },
  nftId: { label: 'Token', description: 'The id of one token of the contract. Empty for any of them.' },
  totalIssued: {
    promoCodeCards: { label: 'Uses', description: 'How often the card can be redeemed, at least once.' },
    eventCards: { label: 'Supply', description: 'How many are issued, at least 1.' },
    membershipCards: { label: 'Supply', description: 'How many are issued, at least 1.' },
    commemorativeCards: { label: 'Supply', description: 'How many are issued, at least 1.' },
  },
  startTime: { label: 'Valid from', description: 'In the time zone of this device.' },
  endTime: { label: 'Valid until', description: 'After that, the card is refused.' },
  validityPeriod: {
    label: 'Extended until',
    description:
      'Accepts the card for longer than printed on it. Without a change, it is valid as long as the card.',
  },
  benefits: { label: 'Benefits', description: 'What members get, one in each line.' },
  usageInstructions: {
    label: 'Instructions',
    description: 'What the owner of the card has to do to use it.',
  },
  applicableStores: {
    label: 'Stores',
    description: 'The stores that accept the card, one in each line. Empty for all stores.',
  },
  logoUrl: { label: 'Logo', description: 'The address of a picture; https.' },
  backgroundImageUrl: { label: 'Background', description: 'The address of a picture; https.' },
  reference: { label: 'Your reference', description: 'Your own id of the card.' },
} as const

export const cardFormTexts = {
  preview: 'Preview',
  previewNew: 'The QR code is made when the card is created.',
  previewOf: 'The QR code stays the same.',
  noName: 'Name of the card',
  qrCodeLabel: (name: string) => name,
  created: (name: string) => `${name} is created`,
  change: 'Edit card',
  changeOf: (name: string) => `Edit ${name}`,
  changed: 'The card is changed',
  technical: 'Technical details',
  notImageAddress: 'Enter an address that begins with https://',
  notNumber: 'Enter a number such as 12.5, with at most 9 decimals',
  notPositive: 'Enter at least 1',
  endsBeforeStart: 'Choose a time after “Valid from”',
} as const

export const verificationTexts = {
  title: 'Scans',
  empty: 'Nobody has scanned this card yet.',
  columns: {
    result: 'Result',
    time: 'Time',
    action: 'Action',
    reason: 'Reason',
    store: 'Store',
    verifier: 'Scanned by',
    device: 'Device',
  },
  results: { accepted: 'Accepted', refused: 'Refused', undo: 'Undo' },
  actions: { redeem: 'Redeem', checkIn: 'Check in' },
  reasons: {
    not_yet_valid: 'Not valid yet',
    expired: 'Expired',
    already_redeemed: 'Already redeemed',
    already_checked_in: 'Already checked in',
    exhausted: 'Used up',
    wrong_store: 'Not valid in this store',
    removed: 'Removed',
    campaign_paused: 'Campaign paused',
    campaign_ended: 'Campaign ended',
    unknown: 'Unknown',
  },
} as const

export const undoTexts = {
  action: 'Undo',
  actionOf: (name: string) => `Undo the scan of ${name}`,
  title: (name: string) => `Undo the scan of ${name}?`,
  effect: 'The card is as it was before the scan. Both stay in the list of its scans.',
  reason: 'Reason',
  reasons: [
    'Scanned by mistake',
    'Wrong card',
    'The customer did not take it',
    'The order was cancelled',
    'Other',
  ],
  undone: 'Undone',
  done: 'The scan is undone',
} as const

export const cardHistoryTexts = {
  title: 'Changes',
  label: 'Changes of the card',
  created: 'Created',
  changed: 'Changed',
  removed: 'Removed',
  by: (actor: string) => `By ${actor}`,
  change: (field: string, before: string, after: string) => `${field}: ${before} → ${after}`,
  nothing: 'nothing',
  /** The columns of the audit log that people know by another name. */
  columns: {
    name: 'Name',
    nft_address: 'Contract',
    nft_id: 'Token',
    start_time: 'Valid from',
    end_time: 'Valid until',
    validity_period: 'Extended until',
    total_issued: 'Supply',
    used_count: 'Used',
    is_checked_in: 'Checked in',
    applicable_stores: 'Stores',
    usage_instructions: 'Instructions',
    logo_url: 'Logo',
    background_image_url: 'Background',
    image_url: 'Picture',
    qr_code_url: 'QR code',
    level: 'Level',
    benefits: 'Benefits',
    amount: 'Amount',
    reference: 'Your reference',
  },
  ofRecord: 'Owners and auditors see every change here.',
} as const

export const printTexts = {
  title: (cards: string) => `Print ${cards.toLowerCase()}`,
  description: '24 QR codes on each page, with lines to cut. Print without scaling.',
  paper: 'Paper',
  papers: { a4: 'A4', letter: 'Letter' },
  copies: 'Copies of each card',
  print: 'Print',
  count: (labels: string, sheets: string) =>
    `${labels} QR codes on ${sheets === '1' ? '1 page' : `${sheets} pages`}`,
  sheet: (number: number) => `Page ${number}`,
  qrCodeOf: (name: string) => `QR code of ${name}`,
  validUntil: (date: string) => `Valid until ${date}`,
  part: (first: string, max: string) => ({
    title: `These are the cards from number ${first} on`,
    advice: `${max} cards are printed at a time.`,
  }),
  nextPart: 'Next part',
  previousPart: 'Previous part',
  withoutCode: (count: string) =>
    `${count} ${count === '1' ? 'card has' : 'cards have'} a QR code of their own and are not printed`,
  expired: (count: string) => `${count} of these cards ${count === '1' ? 'has' : 'have'} expired`,
  empty: { title: 'No cards to print', advice: 'Choose another search or status in the list of cards.' },
} as const
