import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * How many rows long lists have between two keys of their order. Triggers add changes, whose writers never wait for each other, and a job adds these to the segments.
 * A change of nothing makes the job count a list that has no segments yet.
 */
export const listSegmentTables: Migration = {
  id: '0124_list_segments',
  up: `
    create table gateway.list_segments (
      project_id bigint not null,
      -- the table of the list
      relation text not null,
      -- the column that the rows of the list have a value of, as text; both are '' for the list of all rows
      field text not null,
      value text not null,
      -- the first key: an id, or a creation time in microseconds since 1970
      start bigint not null,
      -- how many rows have keys from the first one to the next segment's
      row_count bigint not null,
      primary key (project_id, relation, field, value, start),
      constraint list_segments_limits
        check (char_length(relation) <= 100 and char_length(field) <= 100 and char_length(value) <= 200)
    );
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
        check (char_length(relation) <= 100 and char_length(field) <= 100 and char_length(value) <= 200)
    );
    ${tenant('list_segment_changes')}
    revoke insert, update, delete on gateway.list_segment_changes from mintmark_gateway;

    insert into gateway.list_segment_changes (project_id, relation, field, value, key, change)
      select distinct project_id, 'orders', list.field, list.value, 0, 0 from gateway.orders o
        cross join lateral (values ('', ''), ('status', o.status::text), ('market_type', o.market_type::text)) as list (field, value)
        where not o.deleted
      union all
      select distinct project_id, 'cards', 'program', program, 0, 0 from gateway.cards where not deleted
      union all
      select distinct project_id, 'card_verifications', 'program', program, 0, 0 from gateway.card_verifications
      union all
      select distinct project_id, 'nfts', list.field, list.value, 0, 0 from gateway.nfts n
        cross join lateral (values ('', ''), ('nft_address', n.nft_address)) as list (field, value)
        where not n.deleted;
  `,
}
