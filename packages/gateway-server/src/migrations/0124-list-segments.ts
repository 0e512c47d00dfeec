import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * How many rows long lists have between two keys of their order. A list has segments once a caller has
 * counted more than 10,000 rows in it. Triggers add changes, whose writers never wait for each other, and a
 * job adds these to the segments.
 */
export const listSegmentTables: Migration = {
  id: '0124_list_segments',
  up: `
    create table gateway.list_segments (
      project_id bigint not null,
      -- the table of the list
      relation text not null,
      -- the columns that the rows of the list have a value of, separated by commas; both are '' for the list of all rows
      field text not null,
      -- a text, or a JSON array of the texts of several columns
      value text not null,
      -- the first key: an id, or a creation time in microseconds since 1970
      start bigint not null,
      -- how many rows have keys from the first one to the next segment's; null if they are not counted yet
      row_count bigint,
      -- a segment with more rows is divided, if they have different keys
      max_rows bigint not null default 0,
      -- for rows that are not counted yet: transactions with lower numbers may have changed the list without a record
      recorded_from xid8,
      primary key (project_id, relation, field, value, start),
      constraint list_segments_limits
        check (char_length(relation) <= 100 and char_length(field) <= 100 and octet_length(value) <= 1000)
    );
    create index list_segments_to_divide on gateway.list_segments (project_id, relation, field, value, start)
      where row_count is null or row_count > max_rows;
    ${tenant('list_segments')}
    revoke insert, update, delete on gateway.list_segments from mintmark_gateway;

    -- Rows that were added to lists or removed from them, and are not part of the segments yet.
    create table gateway.list_segment_changes (
      project_id bigint not null,
      relation text not null,
      field text not null,
      value text not null,
      key bigint not null,
      change bigint not null,
      number bigint generated always as identity,
      primary key (project_id, relation, field, value, key, number),
      constraint list_segment_changes_limits
        check (char_length(relation) <= 100 and char_length(field) <= 100 and octet_length(value) <= 1000)
    );
    ${tenant('list_segment_changes')}
    revoke insert, update, delete on gateway.list_segment_changes from mintmark_gateway;
  `,
}
