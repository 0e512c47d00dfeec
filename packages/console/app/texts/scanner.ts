/** What a person at the counter reads about a refusal, and what to do. */
interface RefusalText {
  readonly title: string
  readonly advice: string
}

export const scannerTexts = {
  title: 'Scanner',
  notForRole: {
    title: 'Your role does not redeem cards',
    advice: (role: string) =>
      `Your role is ${role}. Staff, managers and owners scan cards; you can see each card and its history.`,
    action: 'See the cards',
  },
  noStorage: {
    title: 'This browser cannot store scans',
    advice:
      'Without that, a scan could be lost or counted twice. Leave private browsing, or free some space, and reload the page.',
  },
  camera: {
    label: 'Picture of the camera',
    start: 'Start the camera',
    stop: 'Stop the camera',
    starting: 'Starting the camera',
    hint: 'Hold the QR code of the card into the frame.',
    off: 'The camera reads QR codes of cards. The pictures stay on this device.',
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
    retry: 'Try again',
  },
  code: {
    label: 'Code of the card',
    description: 'Type or paste it, or use a scanner that types. It is printed below the QR code.',
    action: 'Check the code',
    empty: 'Enter the code of a card',
    tooLong: 'The code is too long to be that of a card',
  },
  picture: {
    action: 'Choose a picture',
    label: 'Picture with a QR code',
    reading: 'Reading the picture',
    notFound: 'The picture has no readable QR code. Take it closer and without reflections.',
    notPicture: 'The file is no picture that this browser can read. Choose a JPEG or PNG file.',
  },
  mute: 'Turn the sound off',
  unmute: 'Turn the sound on',
  settings: {
    open: 'Settings',
    title: 'Settings of this scanner',
    store: 'Store',
    storeDescription:
      'Cards that name stores are accepted only there. Write its name or code. Empty for no store.',
    storeChoice: 'Cards that name stores are accepted only there.',
    membership: 'A scan of a membership card',
    checkIn: 'Checks in',
    checkInDescription: 'The member visits the store.',
    redeem: 'Redeems a benefit',
    redeemDescription: 'The member uses a benefit, such as a free coffee.',
    sound: 'Sound after each scan',
    device: 'This device',
    saved: 'The settings are saved',
  },
  atStore: (store: string) => `Store: ${store}`,
  noStore: 'No store set',
  results: {
    redeemed: 'Redeemed',
    checkedIn: 'Checked in',
    refused: 'Refused',
    checking: 'Checking…',
    stored: 'Not confirmed yet',
    redeemedBefore: 'Already redeemed',
    checkedInBefore: 'Already checked in',
  },
  storedAdvice:
    'No answer from the server. The scan is stored and is sent until there is one. It can still be refused.',
  redeemedHere: (time: string) => `Redeemed with this device at ${time}.`,
  checkedInHere: (time: string) => `Checked in with this device at ${time}.`,
  refusedHere: (time: string) =>
    `The server refused it on this device at ${time}, because it was used before.`,
  usedBefore: (use: string) => `Used before: ${use}`,
  usedAdvice: 'No answer from the server. This scan is stored, and the server checks it later.',
  remaining: (left: string, total: string) => `${left} of ${total} uses left`,
  lastUse: (total: string) => `That was the last of ${total} uses`,
  onlyUse: 'That was its only use',
  waitingAlready: (count: number) =>
    count === 1 ? 'Another scan of this card waits too.' : `${count} other scans of this card wait too.`,
  next: 'Next scan',
  unknownCard: 'Unknown card',
  cardNumber: (id: number) => `Card ${id}`,
  programs: {
    promoCodeCards: 'Promo code card',
    eventCards: 'Event card',
    membershipCards: 'Membership card',
    commemorativeCards: 'Commemorative card',
  },
  level: (level: string) => `Level: ${level}`,
  history: {
    title: 'Last scans',
    empty: 'Scans of this device appear here.',
    states: { waiting: 'Waiting', accepted: 'Accepted', refused: 'Refused' },
  },
  waiting: {
    title: (count: number) =>
      count === 1 ? '1 scan waits for an answer' : `${count} scans wait for an answer`,
    offline:
      'There is no connection. They are sent as soon as it is back, also after you close this page and open it again.',
    sending: 'They are sent again until the server answers. Each one counts once.',
    retry: 'Send now',
  },
  notStored: 'The scan was not stored, so nothing was redeemed. Scan the card again.',
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
  already_checked_in: {
    title: 'Already checked in',
    advice: 'Somebody entered with this card before.',
  },
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
