import type { Migration } from '@mintmark/server-kit'

/**
 * The size of each event's data. Without it, choosing the events of a small batch would read the data of all
 * events that it may have.
 */
export const eventSizes: Migration = {
  id: '0090_event_sizes',
  up: `
    alter table gateway.events
      add column data_bytes integer not null generated always as (octet_length(data::text)) stored;
  `,
}
