import type { ListChanges } from '@mintmark/server-kit'

/** Tables whose rows belong to projects and determine the number of rows of a list. */
const TENANT_TABLES = [
  'address_book',
  'assets',
  'card_stores',
  'card_verifications',
  'cards',
  'contracts',
  'fans',
  'follows',
  'lazy_nfts',
  'listings',
  'message_views',
  'messages',
  'mint_reservations',
  'mint_whitelist',
  'nft_traits',
  'nfts',
  'offers',
  'orders',
  'sales',
  'token_data_changes',
  'transfers',
] as const

/** The tables whose changes `gateway.list_changes` records, so that cached counts can be validated. */
export const listChanges: ListChanges = {
  schema: 'gateway',
  table: 'list_changes',
  recorded: [...TENANT_TABLES, 'chain_transfers'],
  views: { transfer_history: ['transfers', 'chain_transfers', 'contracts'] },
}

const createTriggers = (table: string, recorder: string) => `
create or replace trigger record_inserted after insert on gateway.${table}
  referencing new table as changed for each statement execute function gateway.${recorder}();
create or replace trigger record_updated after update on gateway.${table}
  referencing new table as changed for each statement execute function gateway.${recorder}();
create or replace trigger record_deleted after delete on gateway.${table}
  referencing old table as changed for each statement execute function gateway.${recorder}();`

/** The triggers that record changes, by the function that they call. */
export const listChangeTriggers: Readonly<Record<string, string>> = {
  record_list_change: TENANT_TABLES.map((table) => createTriggers(table, 'record_list_change')).join('\n'),
  record_change_of_all: createTriggers('chain_transfers', 'record_change_of_all'),
}
