-- The audit log: one entry for each row that a transaction changed, numbered and chained by hashes within its project.
-- Nobody changes an entry. Old ones are dropped once they are in an archive.

create table gateway.audit_heads (
  -- Without a foreign key: the log of a project remains when the project is deleted.
  project_id bigint primary key,
  -- The number of the newest entry.
  sequence bigint not null check (sequence > 0),
  -- Its hash.
  hash bytea not null check (octet_length(hash) = 32),
  -- The number of the last entry that was archived and dropped; 0 for none.
  archived_sequence bigint not null default 0 check (archived_sequence between 0 and sequence),
  -- Its hash, which the first entry here follows.
  archived_hash bytea not null default '',
  check (octet_length(archived_hash) = case archived_sequence when 0 then 0 else 32 end)
);

create table gateway.audit_entries (
  -- Without a foreign key, which would lock audit_heads whenever a partition is added or dropped.
  project_id bigint not null,
  -- The entries of a project are numbered from 1 without gaps. The row of audit_heads, which is locked, makes numbers unique.
  id bigint not null check (id > 0),
  -- When the row was changed. Transactions that ran at the same time may be numbered in another order.
  occurred_at timestamptz not null,
  actor text not null,
  -- The table of the changed row.
  record_type text not null,
  -- Identifies the row in its table.
  record_id text not null,
  action text not null check (action in ('CREATED', 'UPDATED', 'DELETED')),
  -- Each changed column with its value before and after, as the text that the hash covers: jsonb would take a third more.
  changes json not null,
  -- The hash of the entry before; empty for the first one.
  previous_hash bytea not null check (octet_length(previous_hash) in (0, 32)),
  -- SHA-256 of all that is above: see domains/audit/entry-hash.ts.
  hash bytea not null check (octet_length(hash) = 32),
  -- When it was numbered. Partitions of a month are archived by this age.
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id, recorded_at),
  constraint audit_entries_limits check (char_length(actor) <= 200 and char_length(record_type) <= 63
    and char_length(record_id) <= 200 and pg_column_size(changes) <= 16777216)
) partition by range (recorded_at);
create table gateway.audit_entries_default partition of gateway.audit_entries default;
-- audit.list
create index audit_entries_time on gateway.audit_entries (project_id, occurred_at, id);
-- audit.list of a record
create index audit_entries_record on gateway.audit_entries (project_id, record_id, occurred_at, id);

create table gateway.session_ends (
  id bigint generated always as identity primary key,
  -- The process id and the beginning of the session in the database.
  session_id integer not null,
  started_at timestamptz not null,
  program text not null check (char_length(program) <= 63),
  database_role text not null check (char_length(database_role) <= 63),
  -- How many sessions waited for it.
  blocked_sessions integer not null check (blocked_sessions > 0),
  requested_at timestamptz not null default clock_timestamp(),
  -- null until the session is known to have ended
  ended_at timestamptz
);
