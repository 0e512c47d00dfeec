import type { Migration } from '@mintmark/server-kit'

/**
 * The changes that operators make through the operator interface, and the indexes of what it reads. None of
 * these indexes is written by a settle with the built-in upstream.
 */
export const operatorDecisions: Migration = {
  id: '0100_operator_decisions',
  up: /* sql */ `
create table facilitator.operator_decisions (
  id bigint generated always as identity primary key,
  actor text not null check (actor <> ''),
  -- The operation's id.
  operation text not null,
  -- 'account/', 'key/' or 'settlement/' and the id, or 'payer/' and the wallet.
  subject text not null,
  -- The validated input of the call. It contains no secrets.
  input jsonb not null,
  -- A repeated call has the same key and has no second effect.
  idempotency_key text unique,
  created_at timestamptz not null default clock_timestamp()
);
create index operator_decisions_by_subject on facilitator.operator_decisions (subject, id);

create index deposits_by_account on facilitator.deposits (account_id, id);
create index ledger_transfers_without_settlement on facilitator.ledger_transfers (account_id, id)
  where settlement_id is null;
create index settlements_by_remote_transaction on facilitator.settlements (transaction)
  where upstream = 'remote' and transaction is not null;
`,
}
