import type { Migration } from '@mintmark/server-kit'

/** What decides about concurrent payments by Permit2, and about a success whose commit was not confirmed. */
export const settlementColumns: Migration = {
  id: '0165_settlement_columns',
  up: /* sql */ `
-- Whether the payment has an approval for itself only, which replaces what the payer has approved for Permit2.
alter table facilitator.settlements add column own_allowance boolean not null default false;
-- The calls that may have claimed the delivery and responded without the success.
alter table facilitator.settlements add column undelivered_to uuid[];
`,
}
