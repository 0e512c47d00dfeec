/**
 * The tables with ids whose changes are audited and reported, each with the columns whose change alone is
 * neither.
 */
export const CAPTURED_TABLES = {
  address_book: [],
  api_keys: [],
  auctions: [],
  bids: [],
  campaigns: ['issued_cards'],
  card_settings: [],
  card_verifications: [],
  cards: [],
  contracts: ['indexed', 'assets_written'],
  coupons: [],
  fans: [],
  follows: [],
  invitations: [],
  listings: [],
  members: [],
  messages: [],
  mint_collections: [],
  mint_phases: ['whitelist_revision'],
  mint_reservations: ['due_at', 'searched_to', 'proven_to', 'undecided_attempts'],
  mint_whitelist: [],
  mintable_nfts: [],
  nfts: [],
  offers: [],
  orders: ['paid_block_hash'],
  publishable_keys: [],
  stores: [],
  token_data_changes: [],
  transfers: [],
  webhooks: ['failing_since', 'next_slot_at'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The tables whose changes are audited and are no events. */
export const TABLES_WITHOUT_EVENTS = [
  'api_key_secrets',
  'api_keys',
  'card_settings',
  'invitations',
  'members',
  'minter_keys',
  'operator_invitations',
  'people',
  'people_accounts',
  'people_passkeys',
  'people_second_factors',
  'projects',
  'publishable_keys',
  'session_ends',
  'webhooks',
] as const

interface CapturedRows {
  /** The column with the project. By default the rows belong to no project. */
  readonly project?: string
  /** The columns whose change alone is not audited. */
  readonly ignored?: readonly string[]
  readonly secrets?: readonly string[]
}

/**
 * The tables without a project and an id: projects and what there is one of in each, what people sign in with,
 * who may become an operator, and the ended sessions of the database.
 */
const ROW_TABLES: Readonly<Record<string, CapturedRows>> = {
  api_key_secrets: { project: 'project_id', secrets: ['sealed'] },
  minter_keys: { project: 'project_id', secrets: ['sealed'] },
  operator_invitations: {},
  people: { ignored: ['updated_at'] },
  people_accounts: {
    ignored: ['updated_at', 'access_token_expires_at', 'refresh_token_expires_at'],
    secrets: ['password', 'access_token', 'refresh_token', 'id_token'],
  },
  people_passkeys: { ignored: ['counter'] },
  people_second_factors: {
    ignored: ['failed_verifications', 'locked_until'],
    secrets: ['secret', 'backup_codes'],
  },
  projects: { project: 'id', ignored: ['state', 'cell'] },
  session_ends: {},
  wallet_info: { project: 'project_id', ignored: ['updated_at'] },
}

function createTriggers(table: string, ignored: readonly string[]): string {
  const columns = ['updated_at', ...ignored].map((column) => `'${column}'`).join(', ')
  return `
create or replace trigger capture_inserted after insert on gateway.${table}
  referencing new table as new_rows for each statement execute function gateway.capture_changes();
create or replace trigger capture_updated after update on gateway.${table}
  referencing old table as old_rows new table as new_rows
  for each statement execute function gateway.capture_changes(${columns});
create or replace trigger capture_deleted after delete on gateway.${table}
  referencing old table as old_rows for each statement execute function gateway.capture_changes();`
}

/** The triggers that store changes of rows, by the function that they call. */
export const rowChangeTriggers: Readonly<Record<string, string>> = {
  capture_changes: Object.entries(CAPTURED_TABLES)
    .map(([table, ignored]) => createTriggers(table, ignored))
    .join('\n'),
  capture_row_changes: Object.entries(ROW_TABLES)
    .map(
      ([table, { project = '', ignored = [], secrets = [] }]) => `
create or replace trigger capture_changed after insert or update or delete on gateway.${table}
  for each row execute function gateway.capture_row_changes('${project}', '${ignored}', '${secrets}');`,
    )
    .join('\n'),
  capture_transfers: `
create or replace trigger capture_inserted after insert on gateway.chain_transfers
  referencing new table as new_rows for each statement execute function gateway.capture_transfers();
create or replace trigger capture_deleted after delete on gateway.chain_transfers
  referencing old table as old_rows for each statement execute function gateway.capture_transfers();`,
}
