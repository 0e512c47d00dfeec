import type { Migration } from '@mintmark/server-kit'

interface ColumnLimits {
  /** Most characters of texts. */
  readonly characters?: Readonly<Record<string, number>>
  /** Most bytes of texts, and of JSON as PostgreSQL writes it, with a blank after each comma and colon. */
  readonly bytes?: Readonly<Record<string, number>>
  /** Most items of arrays. */
  readonly items?: Readonly<Record<string, number>>
}

const NAME = 200
const TEXT = 4000
const KEY = 128
const ADDRESS = 128
const URL = 2048
/** Twice what a call may bring, for the blanks. */
const PROPERTIES = 65_536
const JSON_OBJECT = 131_072

/** The limits of the input fields that tenants store (see `http/field-limits.ts`), for the tables that they are stored in. */
const limits: Readonly<Record<string, ColumnLimits>> = {
  wallet_info: {
    characters: { address: ADDRESS, name: NAME, email: TEXT, description: TEXT },
    bytes: { background: URL, profile_photo: URL, showcase_background: URL },
  },
  address_book: { characters: { owner: ADDRESS, address: ADDRESS, name: NAME, remark: TEXT } },
  fans: { characters: { fan: ADDRESS, address: ADDRESS } },
  follows: { characters: { address: ADDRESS, nft_address: ADDRESS, nft_id: KEY } },
  messages: { characters: { sender: ADDRESS, recipient: ADDRESS, group_id: KEY, content: TEXT } },
  contracts: {
    characters: {
      nft_address: ADDRESS,
      name: NAME,
      symbol: NAME,
      contract_type: NAME,
      owner: ADDRESS,
      description: TEXT,
    },
    bytes: { img_url: URL, metadata: 32_768, 'extension::text': JSON_OBJECT },
  },
  cards: {
    characters: { name: NAME, nft_address: ADDRESS, nft_id: KEY, usage_instructions: TEXT, level: NAME },
    bytes: {
      background_image_url: URL,
      logo_url: URL,
      image_url: URL,
      qr_code_url: URL,
      'applicable_stores::text': 65_536,
      'benefits::text': 32_768,
    },
    items: { applicable_stores: 1000, benefits: 1000 },
  },
  card_verifications: { characters: { nonce: KEY, device: KEY, store: KEY, verifier: KEY } },
  nfts: {
    characters: { nft_address: ADDRESS, nft_id: KEY, name: NAME, description: TEXT, media_file_type: KEY },
    bytes: { img_url: URL, media_file_url: URL, token_uri: URL, 'properties::text': PROPERTIES },
  },
  product_nfts: {
    characters: {
      nft_address: ADDRESS,
      name: NAME,
      owner: ADDRESS,
      channel: NAME,
      description: TEXT,
      license_code: NAME,
      media_file_type: KEY,
    },
    bytes: { img_url: URL, media_file_url: URL, token_uri: URL, 'properties::text': PROPERTIES },
  },
  lazy_nfts: {
    characters: { name: NAME, description: TEXT },
    bytes: { img_url: URL, media_file_url: URL, token_uri: URL, 'properties::text': PROPERTIES },
  },
  mint_collections: {
    characters: { name: NAME, description: TEXT },
    bytes: {
      img_url: URL,
      banner_url: URL,
      token_uri: URL,
      'previews::text': 524_288,
      'extension::text': JSON_OBJECT,
    },
  },
  mint_phases: { characters: { name: NAME } },
  token_data: { bytes: { 'data::text': JSON_OBJECT } },
}

function checksOf(table: string, { characters = {}, bytes = {}, items = {} }: ColumnLimits): string {
  const conditions = [
    ...Object.entries(characters).map(([column, most]) => `char_length(${column}) <= ${most}`),
    ...Object.entries(bytes).map(([column, most]) => `octet_length(${column}) <= ${most}`),
    ...Object.entries(items).map(([column, most]) => `cardinality(${column}) <= ${most}`),
  ]
  return `alter table gateway.${table} add constraint ${table}_limits check (${conditions.join(' and ')});`
}

/** No text of a tenant's is stored without an upper bound. The servers refuse longer ones by name before a statement runs. */
export const textLimits: Migration = {
  id: '0017_text_limits',
  up: Object.entries(limits)
    .map(([table, columns]) => checksOf(table, columns))
    .join('\n'),
}
