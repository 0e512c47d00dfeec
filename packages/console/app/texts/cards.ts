import type { CardStatus } from '@mintmark/cards'
import { formatCount } from '../format/number.ts'
import { t, toMidSentence } from '../language/translate.ts'

/** The texts of each program of cards. */
export const programTexts = {
  promoCodeCards: {
    title: t('Promo code cards'),
    tab: t('Promo code'),
    single: t('Promo code card'),
    description: t(
      'Customers redeem them at the counter, such as a free coffee. A card can have several uses.',
    ),
    create: t('Create promo code card'),
    usesColumn: t('Uses'),
    supply: (count: number) => t('{count, plural, one {# use} other {# uses}}', { count }),
  },
  eventCards: {
    title: t('Event cards'),
    tab: t('Event'),
    single: t('Event card'),
    description: t('Guests check in with them, once each.'),
    create: t('Create event card'),
    usesColumn: t('Entrance'),
    supply: (count: number) => t('{count} issued', { count: formatCount(count) }),
  },
  membershipCards: {
    title: t('Membership cards'),
    tab: t('Membership'),
    single: t('Membership card'),
    description: t('Members show them at each visit. They count once a day in each store.'),
    create: t('Create membership card'),
    usesColumn: t('Level'),
    supply: (count: number) => t('{count} issued', { count: formatCount(count) }),
  },
  commemorativeCards: {
    title: t('Commemorative cards'),
    tab: t('Commemorative'),
    single: t('Commemorative card'),
    description: t('They remember an occasion. Nothing is redeemed with them.'),
    create: t('Create commemorative card'),
    usesColumn: t('Amount'),
    supply: (count: number) => t('{count} issued', { count: formatCount(count) }),
  },
} as const

export const cardStatusTexts: Readonly<Record<CardStatus, string>> = {
  ACTIVE: t('Valid'),
  NOT_YET_VALID: t('Not valid yet'),
  EXHAUSTED: t('Used||card'),
  EXPIRED: t('Expired'),
  REMOVED: t('Removed'),
}

export const cardsTexts = { cardNumber: (id: number) => t('Card {id}', { id }) } as const

export const cardTexts = { qrCode: t('QR code'), qrCodeOf: (name: string) => name } as const

/** The fields of cards. */
export const cardFieldTexts = {
  name: { label: t('Name'), description: t('What customers read on the card, at most 200 characters.') },
  contract: {
    label: t('Contract'),
    description: t(
      'The NFT contract that the card belongs to. Without one, it belongs to the cards of the project.',
    ),
  },
  nftAddress: {
    label: t('Contract address'),
    description: t(
      'The address of the NFT contract that the card belongs to. Without one, it belongs to the cards of the project.',
    ),
  },
  nftId: { label: t('Token'), description: t('The id of one token of the contract. Empty for any of them.') },
  totalIssued: {
    promoCodeCards: {
      label: t('Uses'),
      description: t('How often the card can be redeemed, at least once.'),
    },
    eventCards: { label: t('Supply'), description: t('How many are issued, at least 1.') },
    membershipCards: { label: t('Supply'), description: t('How many are issued, at least 1.') },
    commemorativeCards: { label: t('Supply'), description: t('How many are issued, at least 1.') },
  },
  startTime: { label: t('Valid from'), description: t('In the time zone of this device.') },
  endTime: { label: t('Valid until'), description: t('After that, the card is refused.') },
  validityPeriod: {
    label: t('Extended until'),
    description: t(
      'Accepts the card for longer than printed on it. Without a change, it is valid as long as the card.',
    ),
  },
  benefits: { label: t('Benefits'), description: t('What members get, one in each line.') },
  usageInstructions: {
    label: t('Instructions'),
    description: t('What the owner of the card has to do to use it.'),
  },
  applicableStores: {
    label: t('Stores'),
    description: t('The stores that accept the card, one in each line. Empty for all stores.'),
  },
  chosenStores: {
    label: t('Stores'),
    description: t('Where the card is accepted. Choose none for all stores.'),
  },
  logoUrl: { label: t('Logo'), description: t('The address of a picture (https), or a file.') },
  backgroundImageUrl: {
    label: t('Background'),
    description: t('The address of a picture (https), or a file.'),
  },
} as const

export const cardSettingsTexts = {
  title: t('Settings of cards'),
  open: t('Settings'),
  back: t('Cards'),
  done: t('The settings are saved'),
  fields: {
    shopName: {
      label: t('Name of the shop'),
      description: t('What customers read at the top of every card.'),
    },
    logoUrl: { label: t('Logo of the shop'), description: t('The address of a picture (https), or a file.') },
    accentColor: {
      label: t('Color'),
      description: t('As # and six digits from 0 to 9 and a to f, such as #7a1f3d.'),
    },
    wrongColor: t('Enter a color such as #7a1f3d'),
    reversalMinutes: {
      label: t('Minutes to undo a scan'),
      description: t('How long staff can undo their own scans, at most 10,080 minutes. 0: never.'),
    },
    reversalsPerDay: {
      label: t('Undone scans per day'),
      description: t('How many scans each of the staff can undo in a day, at most 10,000.'),
    },
  },
  preview: {
    title: t('Preview'),
    advice: t('The pages of cards show what is saved. Open the newest card of a kind as customers see it.'),
  },
} as const

export const verificationTexts = {
  reasons: {
    not_yet_valid: t('Not valid yet'),
    expired: t('Expired'),
    already_redeemed: t('Already redeemed'),
    already_checked_in: t('Already checked in'),
    exhausted: t('Used up'),
    wrong_store: t('Not valid in this store'),
    removed: t('Removed'),
    campaign_paused: t('Campaign paused'),
    campaign_ended: t('Campaign ended'),
    unknown: t('Unknown'),
  },
} as const

export const cardHistoryTexts = {
  created: t('Created'),
  /** The columns of the audit log that people know by another name. */
  columns: {
    name: t('Name'),
    nft_address: t('Contract'),
    nft_id: t('Token'),
    start_time: t('Valid from'),
    end_time: t('Valid until'),
    validity_period: t('Extended until'),
    total_issued: t('Supply'),
    used_count: t('Used'),
    is_checked_in: t('Checked in'),
    applicable_stores: t('Stores'),
    usage_instructions: t('Instructions'),
    logo_url: t('Logo'),
    background_image_url: t('Background'),
    image_url: t('Picture'),
    qr_code_url: t('QR code'),
    level: t('Level'),
    benefits: t('Benefits'),
    amount: t('Amount'),
    reference: t('Your reference'),
  },
} as const

export const printTexts = {
  title: (cards: string) => t('Print {cards}', { cards: toMidSentence(cards) }),
  papers: { a4: 'A4', letter: 'Letter' },
  count: (labels: number, sheets: number) =>
    t(
      '{labels, plural, one {# QR code} other {# QR codes}} on {sheets, plural, one {# page} other {# pages}}',
      { labels, sheets },
    ),
  part: (first: string, max: string) => ({
    title: t('These are the cards from number {first} on', { first }),
    advice: t('{max} cards are printed at a time.', { max }),
  }),
  withoutCode: (count: number) =>
    t(
      '{count, plural, one {# card has a QR code of its own and is} other {# cards have QR codes of their own and are}} not printed',
      { count },
    ),
  expired: (count: number) =>
    t('{count, plural, one {# of these cards has} other {# of these cards have}} expired', { count }),
} as const
