import type { Migration } from '@mintmark/server-kit'

/** When a payment last had the present description, which others replace only after an interval without one. */
export const catalogConfirmations: Migration = {
  id: '0192_catalog_confirmations',
  up: /* sql */ `
alter table facilitator.catalog_entries
  add column content_confirmed_at timestamptz not null default clock_timestamp();
`,
}
