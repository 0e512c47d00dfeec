import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * Lists whose segments have to be counted again, because rows were added to them or removed from them without
 * a record. Rows are only inserted, so that writers never wait.
 */
export const listSegmentResets: Migration = {
  id: '0128_list_segment_resets',
  up: `
    create table gateway.list_segment_resets (
      project_id bigint not null,
      -- all lists of this table or view
      relation text not null check (char_length(relation) <= 100),
      number bigint generated always as identity,
      primary key (project_id, relation, number)
    );
    ${tenant('list_segment_resets')}
    revoke insert, update, delete on gateway.list_segment_resets from mintmark_gateway;
  `,
}
