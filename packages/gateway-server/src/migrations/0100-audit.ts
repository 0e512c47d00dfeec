import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * The audit log: one entry for each row that a transaction changed, numbered and chained by hashes within its
 * project. The sequencer writes it as the schema's owner. Nobody else writes it, and no entry is ever changed
 * or deleted.
 */
export const audit: Migration = {
  id: '0100_audit',
  up: `
    alter table gateway.row_changes
      -- who made the change, such as key:mk_…, job:orders or server; '' for changes from before this column
      add column actor text not null default '',
      -- whether the audit log has the change, which stays here because it could not be reported as an event
      add column is_audited boolean not null default false,
      add constraint row_changes_actor_limit check (char_length(actor) <= 200);

    create table gateway.audit_heads (
      -- Without a foreign key: the log of a project remains when the project is deleted.
      project_id bigint primary key,
      -- The number of the newest entry.
      sequence bigint not null check (sequence > 0),
      -- Its hash.
      hash text not null check (hash ~ '^[0-9a-f]{64}$')
    );
    ${tenant('audit_heads')}

    create table gateway.audit_entries (
      project_id bigint not null references gateway.audit_heads,
      -- The entries of a project are numbered from 1 without gaps.
      id bigint not null check (id > 0),
      -- When the row was changed. Transactions that ran at the same time may be numbered in another order.
      occurred_at timestamptz not null,
      actor text not null,
      -- The table of the changed row.
      record_type text not null,
      -- Identifies the row in its table.
      record_id text not null,
      action text not null check (action in ('CREATED', 'UPDATED', 'DELETED')),
      -- Each changed column with its value before and after.
      changes jsonb not null,
      -- The hash of the entry before; '' for the first one.
      previous_hash text not null check (previous_hash ~ '^([0-9a-f]{64})?$'),
      -- SHA-256 of all that is above: see domains/audit/entry-hash.ts.
      hash text not null check (hash ~ '^[0-9a-f]{64}$'),
      primary key (project_id, id),
      constraint audit_entries_limits check (char_length(actor) <= 200 and char_length(record_type) <= 63
        and char_length(record_id) <= 200 and pg_column_size(changes) <= 16777216)
    );
    create index audit_entries_time on gateway.audit_entries (project_id, occurred_at, id);
    create index audit_entries_actor on gateway.audit_entries (project_id, actor, occurred_at, id);
    create index audit_entries_record on gateway.audit_entries (project_id, record_id, occurred_at, id);
    create index audit_entries_type on gateway.audit_entries (project_id, record_type, occurred_at, id);
    create index audit_entries_action on gateway.audit_entries (project_id, action, occurred_at, id);
    ${tenant('audit_entries')}
    revoke insert, update, delete on gateway.audit_heads, gateway.audit_entries from mintmark_gateway;
  `,
}
