/** Texts of lazy minting, and of the phases and whitelists that product cards share with it. */
export const mintingTexts = {
  title: 'Lazy minting',
  description: 'Collections whose NFTs buyers mint themselves, in phases.',
  search: 'Search by name, symbol or address',
  empty: {
    title: 'No collections yet',
    advice: 'Each contract of the project is a collection. Add a contract first.',
  },
  addContract: 'Go to contracts',
  columns: { name: 'Collection', chain: 'Chain', phase: 'Open phase', phases: 'Phases' },
  noOpenPhase: 'None',
  views: {
    label: 'Parts of the collection',
    phases: 'Phases',
    nfts: 'NFTs',
    whitelist: 'Whitelist',
    mints: 'Mints',
    settings: 'Settings',
  },
  collectionTitle: (name: string) => `Minting of ${name}`,
  counts: {
    title: 'Counts',
    mintedTokens: 'Minted tokens',
    minted: 'Minted NFTs',
    reserved: 'Reserved NFTs',
    displayed: 'NFTs on display',
    hidden: 'Hidden NFTs',
  },
  openPhase: (name: string) => `Open: ${name}`,
  minter: {
    title: 'The project’s minter signs the mints',
    advice: (minter: string) =>
      `The contract must allow ${minter} to sign mints. Otherwise it refuses what buyers send.`,
    missing: {
      title: 'The project has no minter yet',
      advice:
        'Save the settings of the collection. This creates the minter, whose address appears here: the contract must allow it to sign mints.',
    },
  },
} as const

export const phasesTexts = {
  title: 'Phases',
  add: 'Add phase',
  edit: 'Edit',
  remove: 'End and remove',
  actionsOf: (name: string) => `Actions for ${name}`,
  empty: {
    title: 'No phases yet',
    advice: 'Tokens can be minted only while a phase is open. Add the first one.',
  },
  states: { upcoming: 'Upcoming', open: 'Open', ended: 'Ended' },
  period: (from: string, to: string) => `${from} to ${to}`,
  openEnd: (from: string) => `From ${from}`,
  price: 'Price',
  free: 'Free',
  paidBy: { CHAIN: ', collected by the contract', ORDER: ', paid by an order' },
  claimed: 'Reserved and minted',
  claimedOf: (claimed: string, max: string) => `${claimed} of ${max}`,
  noLimit: (claimed: string) => `${claimed}, no limit`,
  perWallet: 'For each wallet',
  perWalletNoLimit: 'No limit',
  whitelist: 'Who may mint',
  modes: {
    NONE: 'Every wallet',
    LIST: 'Wallets on the whitelist',
    MERKLE: 'Wallets with a proof (Merkle tree)',
  },
  fields: {
    name: {
      label: 'Name',
      description: 'Identifies the phase. Another name makes another phase, with counts of its own.',
    },
    startTime: { label: 'Opens', description: 'In your time zone.' },
    endTime: { label: 'Closes', description: 'In your time zone. Empty: when the next phase opens.' },
    price: { label: 'Price of one token', description: '0 if minting is free.' },
    pricedBy: { label: 'How it is paid' },
    maxClaimable: { label: 'Limit for all wallets together', description: '0: no limit.' },
    limitPerWallet: { label: 'Limit for each wallet', description: '0: no limit.' },
    whitelistMode: { label: 'Who may mint' },
    merkleRoot: {
      label: 'Merkle root',
      description: 'Of a tree that is kept elsewhere. Empty: the whitelist that is kept here.',
    },
  },
  pricedByOptions: {
    CHAIN: 'The contract collects the price',
    ORDER: 'An order collects the price before the mint',
  },
  saved: 'The phases are saved',
  editTitle: (name: string) => `Edit phase ${name}`,
  removeTitle: (name: string) => `End and remove phase ${name}?`,
  removeWarning:
    'The phase ends at once. Its counts and its whitelist no longer apply. This cannot be undone. Signed mints stay valid until they expire.',
  removed: (name: string) => `Phase ${name} is removed`,
  showWhitelist: 'Whitelist',
} as const

export const whitelistTexts = {
  title: 'Whitelist',
  phase: 'Phase',
  add: 'Add wallets',
  empty: {
    title: 'No wallets on the whitelist',
    advice: 'In a phase for wallets on the whitelist, nobody can mint until you add wallets.',
  },
  noPhase: { title: 'No phases yet', advice: 'A whitelist belongs to a phase. Add a phase first.' },
  columns: { wallet: 'Wallet', limit: 'Limit', phase: 'Phase', added: 'Added' },
  phaseLimit: 'As in the phase',
  dialogTitle: (phase: string) => `Add wallets to ${phase}`,
  entries: {
    label: 'Addresses',
    description:
      'One in each line. A limit can follow after a comma: 0x7099…79c8,2. You can paste a CSV file, or choose one below.',
  },
  file: 'CSV file',
  ready: { one: 'wallet is ready', other: 'wallets are ready' },
  problemsTitle: (count: string) => `${count}, which will not be added:`,
  problem: { one: 'line is wrong', other: 'lines are wrong' },
  problemLine: (line: number, text: string, reason: string) => `Line ${line}: ${text} (${reason})`,
  moreProblems: (count: string) => `And ${count} more.`,
  reasons: {
    address: 'not an address of 0x and 40 hexadecimal digits',
    zero: 'the zero address belongs to no wallet',
    limit: 'the limit is not a whole number',
    duplicate: (line: number) => `the same wallet as in line ${line}`,
  },
  addAction: (count: string) => `Add ${count}`,
  wallets: { one: 'wallet', other: 'wallets' },
  nothingToAdd: 'Enter at least one address.',
  added: (count: string, phase: string) => `${count} added to ${phase}`,
  progress: (done: string, total: string) => `${done} of ${total} are added.`,
  remove: 'Remove',
  removeName: (address: string) => `Remove ${address}`,
  removeTitle: (address: string) => `Remove ${address} from the whitelist?`,
  removeWarning: (phase: string) => `The wallet can no longer mint in phase ${phase}. You can add it again.`,
  removed: 'The wallet is removed from the whitelist',
} as const

export const lazyNftsTexts = {
  title: 'NFTs to mint',
  add: 'Add NFT',
  status: 'Status',
  statuses: { HIDDEN: 'Hidden', DISPLAY: 'On display', RESERVED: 'Reserved', MINTED: 'Minted' },
  empty: {
    title: 'No NFTs to mint yet',
    advice: 'Add the NFTs that buyers can mint, or let buyers mint by quantity in the settings.',
  },
  columns: { name: 'Name', status: 'Status', price: 'Price', token: 'Token id', added: 'Added' },
  phasePrice: 'As in the phase',
  actionsOf: (name: string) => `Actions for ${name}`,
  fields: {
    name: { label: 'Name', description: 'What buyers see, at most 200 characters.' },
    tokenUri: { label: 'Metadata', description: 'The address that the contract returns as tokenURI.' },
    imgUrl: { label: 'Image', description: 'An address that begins with https://.' },
    description: { label: 'Description' },
    properties: {
      label: 'Properties',
      description: 'One in each line: a name, a colon and a value, as in paper: cotton.',
    },
    royaltyPercentage: { label: 'Royalty in percent', description: 'Empty: that of the collection.' },
    status: { label: 'Visibility' },
  },
  visibility: { DISPLAY: 'On display: can be minted', HIDDEN: 'Hidden: cannot be minted' },
  added: (name: string) => `${name} is added`,
  saved: (name: string) => `${name} is saved`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit ${name}`,
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeWarning: 'This cannot be undone. An NFT that is reserved or minted cannot be removed.',
  removed: (name: string) => `${name} is removed`,
} as const

export const mintsTexts = {
  title: 'Mints',
  columns: {
    recipient: 'Wallet',
    status: 'Status',
    token: 'Token',
    quantity: 'Units',
    price: 'Price of one',
    phase: 'Phase',
    time: 'Signed',
    transaction: 'Transaction',
  },
  statuses: { SIGNED: 'Signed', MINTED: 'Minted', RELEASED: 'Expired unused' },
  empty: { title: 'No mints yet', advice: 'When a buyer gets permission to mint, it appears here.' },
  collectionToken: 'Collection’s token',
  fromEvents: 'Here are the mints that changed within the time for which the gateway keeps events.',
  truncated: 'The gateway has more events about mints than were read. Older mints may be missing.',
} as const

export const collectionTexts = {
  title: 'Settings',
  edit: 'Edit settings',
  saved: 'The settings are saved',
  fields: {
    name: { label: 'Name', description: 'Empty: the name of the contract.' },
    description: { label: 'Description', description: 'Empty: the description of the contract.' },
    imgUrl: { label: 'Image', description: 'Empty: the image of the contract.' },
    bannerUrl: { label: 'Banner', description: 'An address that begins with https://.' },
    tokenUri: {
      label: 'Metadata of tokens by quantity',
      description: 'Empty: tokens cannot be minted by quantity.',
    },
    primarySaleRecipient: {
      label: 'Receives the price',
      description: 'A wallet. Empty: the contract decides.',
    },
    royaltyRecipient: { label: 'Receives royalties', description: 'A wallet. Empty: the contract decides.' },
    royaltyPercentage: { label: 'Royalty in percent', description: '0 to 100.' },
  },
  minter: 'Signs the mints',
  previews: 'Previews',
  editPreviews: 'Edit previews',
  noPreviews: 'There are no previews.',
  previewFields: {
    items: { label: 'Addresses', description: 'One address of an image in each line, at most 100.' },
  },
  previewsSaved: 'The previews are saved',
} as const
