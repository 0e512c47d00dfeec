-- What operators changed, and what audits compared.

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
-- the decisions about an account or a settlement
create index operator_decisions_by_subject on facilitator.operator_decisions (subject, id);

create table facilitator.audits (
  name text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The number of problems of each kind that the last finished audit found.
  problems jsonb not null default '{}'
);

create table facilitator.audited_blocks (
  chain_id bigint primary key,
  -- All earlier blocks were compared.
  next_block numeric(78, 0) not null,
  -- A final block. Its payments are compared when it has been known for long enough that they must be settled and charged.
  known_block numeric(78, 0) not null,
  known_at timestamptz not null default clock_timestamp()
);
