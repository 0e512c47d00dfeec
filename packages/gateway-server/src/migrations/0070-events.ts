import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * The feed of events. Triggers store what a transaction changed in `row_changes`, together with the change.
 * The sequencer turns these rows into events after they were committed and numbers them. Only the schema's
 * owner writes the three tables.
 */
export const events: Migration = {
  id: '0070_events',
  up: `
    create table gateway.row_changes (
      id bigint generated always as identity,
      -- Without a foreign key, which would lock the project's row: the changed row has one.
      project_id bigint not null,
      relation text not null,
      -- All changes of a transaction are reported together.
      transaction xid8 not null default pg_current_xact_id(),
      -- The row before the change. Null: it was inserted.
      before jsonb,
      -- The row after the change. Null: it was deleted.
      after jsonb,
      changed_at timestamptz not null default clock_timestamp(),
      -- Why the row could not be turned into events; '' if that was not tried yet.
      problem text not null default '',
      primary key (project_id, id),
      constraint row_changes_limits check (char_length(relation) <= 63 and char_length(problem) <= 2000
        and pg_column_size(before) <= 4194304 and pg_column_size(after) <= 4194304)
    );
    create index row_changes_waiting on gateway.row_changes (id) where problem = '';
    create index row_changes_by_transaction on gateway.row_changes (transaction) where problem = '';
    ${tenant('row_changes')}
    revoke insert, update, delete on gateway.row_changes from mintmark_gateway;

    create table gateway.event_counts (
      project_id bigint primary key references gateway.projects,
      -- The number of the newest event.
      newest bigint not null
    );
    ${tenant('event_counts')}
    revoke insert, update, delete on gateway.event_counts from mintmark_gateway;

    create table gateway.events (
      project_id bigint not null references gateway.event_counts,
      -- The events of a project are numbered from 1 without gaps.
      sequence bigint not null,
      type text not null,
      -- What the event is about, such as order/123.
      subject text not null,
      occurred_at timestamptz not null,
      data json not null,
      -- When it was numbered. Events are deleted by this age.
      recorded_at timestamptz not null default clock_timestamp(),
      primary key (project_id, sequence),
      constraint events_limits check (char_length(type) <= 100 and char_length(subject) <= 200
        and octet_length(data::text) <= 4194304)
    );
    create index events_by_age on gateway.events (recorded_at);
    ${tenant('events')}
    revoke insert, update, delete on gateway.events from mintmark_gateway;
  `,
}
