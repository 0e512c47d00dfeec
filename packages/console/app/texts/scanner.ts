/** What a person at the counter reads about a refusal, and what to do. */
interface RefusalText {
  readonly title: string
  readonly advice: string
}

export const scannerTexts = {
  title: 'Scanner',
  noStorage: {
    title: 'This browser cannot store scans',
    advice:
      'Without that, a scan could be lost or counted twice. Leave private browsing, or free some space, and reload the page.',
  },
  camera: {
    states: {
      denied: {
        title: 'The camera is not allowed',
        advice: 'Allow the camera for this page in the settings of the browser, or type the code.',
      },
      missing: {
        title: 'There is no camera',
        advice: 'Type the code, or choose a picture of it. Cameras need a page that is served over https.',
      },
      failed: {
        title: 'The camera does not start',
        advice: 'Another program may be using it. Close that and try again, or type the code.',
      },
    },
  },
  code: { tooLong: 'The code is too long to be that of a card' },
  noStore: 'No store set',
  results: { stored: 'Not confirmed yet' },
  storedAdvice:
    'No answer from the server. The scan is stored and is sent until there is one. It can still be refused.',
  programs: {
    promoCodeCards: 'Promo code card',
    eventCards: 'Event card',
    membershipCards: 'Membership card',
    commemorativeCards: 'Commemorative card',
  },
  history: {
    title: 'Last scans',
    states: { waiting: 'Waiting', accepted: 'Accepted', refused: 'Refused' },
  },
} as const

/** Why a card is refused, by the reason of the server and of the scanner. */
export const refusalTexts = {
  not_yet_valid: (start: string): RefusalText => ({
    title: 'Not valid yet',
    advice: `The card is valid from ${start}.`,
  }),
  expired: (end: string): RefusalText => ({ title: 'Expired', advice: `The card was valid until ${end}.` }),
  already_redeemed: {
    title: 'Already redeemed',
    advice: 'The card was redeemed before and has no use left.',
  },
  already_redeemed_today: {
    title: 'Already redeemed today',
    advice: 'A membership card counts once a day in each store.',
  },
  already_checked_in: { title: 'Already checked in', advice: 'Somebody entered with this card before.' },
  already_checked_in_today: {
    title: 'Already checked in today',
    advice: 'A membership card counts once a day in each store.',
  },
  exhausted: (total: string): RefusalText => ({
    title: 'Used up',
    advice: `All ${total} uses are redeemed.`,
  }),
  wrong_store: (stores: string, store: string): RefusalText => ({
    title: 'Not valid in this store',
    advice:
      store === ''
        ? `The card is accepted in: ${stores}. Set the store of this scanner in its settings.`
        : `The card is accepted in: ${stores}. This scanner is in: ${store}.`,
  }),
  campaign_paused: {
    title: 'Campaign paused',
    advice: 'The shop accepts the cards of this campaign again when it resumes it.',
  },
  campaign_ended: { title: 'Campaign ended', advice: 'The shop accepts the cards of this campaign no more.' },
  removed: { title: 'Removed', advice: 'The shop has removed this card.' },
  unknown: {
    title: 'Unknown code',
    advice: 'No card of this project has this code. It may be from another shop, or the card was removed.',
  },
  not_redeemable: {
    title: 'Nothing to redeem',
    advice: 'This is a commemorative card. It is genuine, and it cannot be redeemed.',
  },
  invalid: (message = 'Check the settings of the scanner and scan the card again.'): RefusalText => ({
    title: 'The server does not accept this scan',
    advice: `Nothing was redeemed. ${message}`,
  }),
  other: (reason: string): RefusalText => ({ title: 'Refused', advice: `The server says: ${reason}.` }),
} as const
