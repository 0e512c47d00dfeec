import type { Migration } from '@mintmark/server-kit'

/**
 * Fewer indexes of the tables that every settle writes.
 *
 * One index has the guards of the ledger's transfers that two had: a capture and a release are the same step
 * of a reservation.
 *
 * Transfers have no primary key. Nothing finds them by id, the identity column gives every row another id,
 * and the table is append-only.
 */
export const fewerIndexes: Migration = {
  id: '0070_fewer_indexes',
  up: /* sql */ `
-- A reservation is held once, captured or released once, and refunded once.
create unique index ledger_transfers_one_per_step on facilitator.ledger_transfers
  (settlement_id, reservation, (case kind when 'capture' then 'end' when 'release' then 'end' else kind end))
  where settlement_id is not null;
drop index facilitator.ledger_transfers_one_per_kind, facilitator.ledger_transfers_captured_or_released;
alter table facilitator.ledger_transfers drop constraint ledger_transfers_pkey;

-- What accounts owe is read by account.
create index ledger_transfers_receivable on facilitator.ledger_transfers (account_id)
  where 'receivable' in (debit, credit);
drop index facilitator.ledger_transfers_by_account;

-- The held prices of a quota, and the oldest settlement in each unfinished state.
create index settlements_open on facilitator.settlements (quota_id, state, reserved_at)
  where state in ('sent', 'unknown');
drop index facilitator.settlements_held, facilitator.settlements_unfinished;
`,
}
