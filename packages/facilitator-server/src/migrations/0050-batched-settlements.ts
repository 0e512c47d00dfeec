import type { Migration } from '@mintmark/server-kit'

/**
 * The items of a reservation as rows, so that their JSON is parsed once for all statements of the function.
 *
 * Settlements and charges have no foreign keys, as the ledger's transfers have none: the check is a query per
 * row. `reserve_settlements` copies the ids from rows that it has locked or read in the same statement,
 * triggers refuse to delete these rows, and `ledger check` finds settlements without an account or a quota.
 */
export const batchedSettlements: Migration = {
  id: '0050_batched_settlements',
  up: /* sql */ `
create type facilitator.requested_settlement as (
  account_id bigint,
  order_no text,
  network text,
  domain text,
  payer text,
  nonce text,
  fingerprint text,
  wire_network text,
  x402_version smallint,
  scheme text,
  asset text,
  pay_to text,
  amount numeric,
  valid_before numeric,
  api text,
  idempotency_key text,
  upstream text,
  attempt uuid,
  -- The payer's balance, the block of its reading, and how long ago it was read. Null: not read.
  balance numeric,
  at_block numeric,
  read_age_ms float8
);
alter table facilitator.settlements drop constraint settlements_account_id_fkey, drop constraint settlements_quota_id_fkey;
alter table facilitator.charges drop constraint charges_settlement_id_fkey;

-- The nonce first: it differs between payments, so that a comparison of keys ends at the first column.
alter table facilitator.settlements drop constraint settlements_unique_payment;
alter table facilitator.settlements add constraint settlements_unique_payment unique (nonce, payer, domain, network);
`,
}
