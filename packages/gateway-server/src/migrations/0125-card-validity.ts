import type { Migration } from '@mintmark/server-kit'

/**
 * An index that finds expired, active and exhausted cards. It contains whether a card is exhausted instead of
 * how often it was used: most uses then write no index, because they change no indexed value.
 */
export const cardValidity: Migration = {
  id: '0125_card_validity',
  up: `
    alter table gateway.cards add column is_exhausted boolean not null
      generated always as (used_count >= total_issued or is_checked_in) stored;
    create index cards_validity on gateway.cards (project_id, program, is_exhausted, validity_period, id) where not deleted;
  `,
}
