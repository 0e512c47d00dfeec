import { ADDRESS } from './limits.ts'

/** The most characters of a reference. */
const REFERENCE = 100

/** Adds the callers' own references to a table. They belong to the wallet of the key that set them. */
export const addReferences = (table: string): string => `
    alter table gateway.${table}
      -- '' if it is not set
      add column reference text collate "C" not null default '',
      -- the wallet of the key that set the reference; '' for a key without a wallet
      add column reference_owner text collate "C" not null default '',
      add constraint ${table}_reference_limits check (
        char_length(reference) <= ${REFERENCE} and char_length(reference_owner) <= ${ADDRESS});`

/**
 * Indexes the references of a list.
 *
 * @param indexed The columns of the list before the reference, and the condition of the list.
 */
export const indexReferences = (
  table: string,
  { before = [], listed }: { before?: readonly string[]; listed?: string } = {},
): string => `
    create index ${table}_reference
      on gateway.${table} (${['project_id', ...before, 'reference', 'reference_owner', 'created_at', 'id'].join(', ')})
      where ${[...(listed === undefined ? [] : [listed]), "reference <> ''"].join(' and ')};`
