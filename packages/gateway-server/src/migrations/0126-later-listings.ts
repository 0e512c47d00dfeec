import type { Migration } from '@mintmark/server-kit'

/** An index that finds listings that have not started. Most start at once and have no entry. */
export const laterListings: Migration = {
  id: '0126_later_listings',
  up: `
    create index listings_shelf_later on gateway.listings (project_id, market_type, start_time)
      where status = 'ON' and start_time > created_at;
  `,
}
