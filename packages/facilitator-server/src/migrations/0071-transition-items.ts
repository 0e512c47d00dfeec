import type { Migration } from '@mintmark/server-kit'

/**
 * The items of a transition, and what it returns of the changed settlements, as rows: JSON costs twice as
 * much to read.
 */
export const transitionItems: Migration = {
  id: '0071_transition_items',
  up: /* sql */ `
create type facilitator.requested_transition as (
  id bigint,
  attempt uuid,
  from_state text,
  from_hold text,
  state text,
  hold text,
  -- Null: the price does not move.
  move text,
  debit text,
  credit text,
  cause text,
  transaction text,
  reason text,
  message text,
  upstream_status integer,
  upstream_responded boolean,
  block_number numeric,
  block_hash text,
  final boolean,
  reconciled boolean,
  deliver_to uuid,
  -- Null: nothing is left to find out.
  lease_seconds float8
);
create type facilitator.changed_settlement as (
  id bigint,
  state text,
  hold text,
  order_no text,
  payer text,
  amount numeric,
  transaction text,
  upstream_status integer,
  reason text,
  message text
);
`,
}
