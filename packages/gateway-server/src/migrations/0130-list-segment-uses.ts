import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * The days on which lists were counted by their segments, so that a job can delete those that nobody uses.
 * Rows are only inserted, so that callers do not wait for each other.
 */
export const listSegmentUses: Migration = {
  id: '0130_list_segment_uses',
  up: `
    create table gateway.list_segment_uses (
      project_id bigint not null,
      relation text not null,
      field text not null,
      value text not null,
      -- in UTC
      used_on date not null default (now() at time zone 'UTC')::date,
      primary key (project_id, relation, field, value, used_on),
      constraint list_segment_uses_limits
        check (char_length(relation) <= 100 and char_length(field) <= 100 and octet_length(value) <= 1000)
    );
    ${tenant('list_segment_uses')}
    revoke insert, update, delete on gateway.list_segment_uses from mintmark_gateway;
    insert into gateway.list_segment_uses (project_id, relation, field, value)
      select project_id, relation, field, value from gateway.list_segments where start = 0;
  `,
}
