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

export const cardsTexts = { cardNumber: (id: number) => `Card ${id}` } as const

export const cardTexts = { qrCode: 'QR code', qrCodeOf: (name: string) => name } as const

/** The fields of cards. */
export const cardFieldTexts = {
  name: { label: 'Name', description: 'What customers read on the card, at most 200 characters.' },
  contract: {
    label: 'Contract',
    description:
      'The NFT contract that the card belongs to. Without one, it belongs to the cards of the project.',
  },
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
  chosenStores: { label: 'Stores', description: 'Where the card is accepted. Choose none for all stores.' },
  logoUrl: { label: 'Logo', description: 'The address of a picture (https), or a file.' },
  backgroundImageUrl: { label: 'Background', description: 'The address of a picture (https), or a file.' },
} as const

export const cardSettingsTexts = {
  title: 'Settings of cards',
  open: 'Settings',
  back: 'Cards',
  done: 'The settings are saved',
  fields: {
    shopName: { label: 'Name of the shop', description: 'What customers read at the top of every card.' },
    logoUrl: { label: 'Logo of the shop', description: 'The address of a picture (https), or a file.' },
    accentColor: {
      label: 'Color',
      description: 'As # and six digits from 0 to 9 and a to f, such as #7a1f3d.',
    },
    wrongColor: 'Enter a color such as #7a1f3d',
    reversalMinutes: {
      label: 'Minutes to undo a scan',
      description: 'How long staff can undo their own scans, at most 10,080 minutes. 0: never.',
    },
    reversalsPerDay: {
      label: 'Undone scans per day',
      description: 'How many scans each of the staff can undo in a day, at most 10,000.',
    },
  },
  preview: {
    title: 'Preview',
    advice: 'The pages of cards show what is saved. Open the newest card of a kind as customers see it.',
  },
} as const

export const verificationTexts = {
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

export const cardHistoryTexts = {
  created: 'Created',
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
} as const

export const printTexts = {
  title: (cards: string) => `Print ${cards.toLowerCase()}`,
  papers: { a4: 'A4', letter: 'Letter' },
  count: (labels: string, sheets: string) =>
    `${labels} QR codes on ${sheets === '1' ? '1 page' : `${sheets} pages`}`,
  part: (first: string, max: string) => ({
    title: `These are the cards from number ${first} on`,
    advice: `${max} cards are printed at a time.`,
  }),
  withoutCode: (count: string) =>
    `${count} ${count === '1' ? 'card has' : 'cards have'} a QR code of their own and are not printed`,
  expired: (count: string) => `${count} of these cards ${count === '1' ? 'has' : 'have'} expired`,
} as const
