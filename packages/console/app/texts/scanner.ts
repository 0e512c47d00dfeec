import { t } from '../language/translate.ts'

/** What a person at the counter reads about a refusal, and what to do. */
interface RefusalText {
  readonly title: string
  readonly advice: string
}

export const scannerTexts = {
  title: t('Scanner'),
  noStorage: {
    title: t('This browser cannot store scans'),
    advice: t(
      'Without that, a scan could be lost or counted twice. Leave private browsing, or free some space, and reload the page.',
    ),
  },
  camera: {
    states: {
      denied: {
        title: t('The camera is not allowed'),
        advice: t('Allow the camera for this page in the settings of the browser, or type the code.'),
      },
      missing: {
        title: t('There is no camera'),
        advice: t('Type the code, or choose a picture of it. Cameras need a page that is served over https.'),
      },
      failed: {
        title: t('The camera does not start'),
        advice: t('Another program may be using it. Close that and try again, or type the code.'),
      },
    },
  },
  code: { tooLong: t('The code is too long to be that of a card') },
  noStore: t('No store set'),
  results: { stored: t('Not confirmed yet') },
  storedAdvice: t(
    'No answer from the server. The scan is stored and is sent until there is one. It can still be refused.',
  ),
  programs: {
    promoCodeCards: t('Promo code card'),
    eventCards: t('Event card'),
    membershipCards: t('Membership card'),
    commemorativeCards: t('Commemorative card'),
  },
  history: {
    title: t('Last scans'),
    states: { waiting: t('Waiting'), accepted: t('Accepted'), refused: t('Refused') },
  },
} as const

/** Why a card is refused, by the reason of the server and of the scanner. */
export const refusalTexts = {
  not_yet_valid: (start: string): RefusalText => ({
    title: t('Not valid yet'),
    advice: t('The card is valid from {start}.', { start }),
  }),
  expired: (end: string): RefusalText => ({
    title: t('Expired'),
    advice: t('The card was valid until {end}.', { end }),
  }),
  already_redeemed: {
    title: t('Already redeemed'),
    advice: t('The card was redeemed before and has no use left.'),
  },
  already_redeemed_today: {
    title: t('Already redeemed today'),
    advice: t('A membership card counts once a day in each store.'),
  },
  already_checked_in: {
    title: t('Already checked in'),
    advice: t('Somebody entered with this card before.'),
  },
  already_checked_in_today: {
    title: t('Already checked in today'),
    advice: t('A membership card counts once a day in each store.'),
  },
  exhausted: (total: string): RefusalText => ({
    title: t('Used up'),
    advice: t('All {total} uses are redeemed.', { total }),
  }),
  wrong_store: (stores: string, store: string): RefusalText => ({
    title: t('Not valid in this store'),
    advice:
      store === ''
        ? t('The card is accepted in: {stores}. Set the store of this scanner in its settings.', { stores })
        : t('The card is accepted in: {stores}. This scanner is in: {store}.', { stores, store }),
  }),
  campaign_paused: {
    title: t('Campaign paused'),
    advice: t('The shop accepts the cards of this campaign again when it resumes it.'),
  },
  campaign_ended: {
    title: t('Campaign ended'),
    advice: t('The shop accepts the cards of this campaign no more.'),
  },
  removed: { title: t('Removed'), advice: t('The shop has removed this card.') },
  unknown: {
    title: t('Unknown code'),
    advice: t('No card of this project has this code. It may be from another shop, or the card was removed.'),
  },
  not_redeemable: {
    title: t('Nothing to redeem'),
    advice: t('This is a commemorative card. It is genuine, and it cannot be redeemed.'),
  },
  invalid: (message = t('Check the settings of the scanner and scan the card again.')): RefusalText => ({
    title: t('The server does not accept this scan'),
    advice: t('Nothing was redeemed. {message}', { message }),
  }),
  other: (reason: string): RefusalText => ({
    title: t('Refused'),
    advice: t('The server says: {reason}.', { reason }),
  }),
} as const
