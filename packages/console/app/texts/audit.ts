import { t } from '../language/translate.ts'

export const auditTexts = {
  actions: { CREATED: t('Created'), UPDATED: t('Changed'), DELETED: t('Deleted') },
  /** Changes of the secrets of a key are changes of the key. */
  recordTypes: {
    address_book: t('Address book entry'),
    api_keys: t('API key'),
    auctions: t('Auction'),
    bids: t('Bid'),
    campaigns: t('Campaign'),
    card_settings: t('Settings of cards'),
    card_verifications: t('Card verification'),
    cards: t('Card'),
    contracts: t('Contract'),
    coupons: t('Coupon'),
    fans: t('Fan'),
    follows: t('Follow'),
    invitations: t('Invitation'),
    listings: t('Listing'),
    members: t('Role of a person'),
    messages: t('Message'),
    mint_collections: t('Mint collection'),
    mint_phases: t('Mint phase'),
    mint_reservations: t('Mint reservation'),
    mint_whitelist: t('Whitelist entry'),
    mintable_nfts: t('Mintable NFT'),
    minter_keys: t('Minter key'),
    nfts: t('NFT'),
    offers: t('Offer'),
    orders: t('Order'),
    projects: t('Project'),
    publishable_keys: t('Publishable key'),
    stores: t('Store'),
    token_data_changes: t('Change of token data'),
    transfers: t('Transfer'),
    wallet_info: t('Wallet profile'),
    webhooks: t('Webhook'),
  },
  /** The kinds of records that belong to no project. */
  serverRecordTypes: {
    operator_invitations: t('Invitation of an operator'),
    people: t('Person'),
    people_accounts: t('Password or identity provider'),
    people_passkeys: t('Passkey'),
    people_second_factors: t('Authenticator app'),
    session_ends: t('Ended session of the database'),
  },
  nothing: '—',
  verify: {
    entries: (count: number) => t('{count, plural, one {# entry} other {# entries}}', { count }),
    invalidAdvice: (problem: string, entries: string) =>
      t(
        '{problem}. Intact before it: {entries}. Tell the operator of the server at once, who keeps a copy of the database before anything else and compares it with backups. Nothing repairs a log.',
        { problem, entries },
      ),
    invalidServerAdvice: (problem: string, entries: string) =>
      t(
        '{problem}. Intact before it: {entries}. Keep a copy of the database before anything else, and compare it with backups. Nothing repairs a log.',
        { problem, entries },
      ),
  },
} as const
