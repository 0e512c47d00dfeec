import type { Migration } from '@mintmark/server-kit'

/** An index that finds expired cards. */
export const cardValidity: Migration = {
  id: '0125_card_validity',
  up: `
    create index cards_validity on gateway.cards (project_id, program, validity_period, id) where not deleted;
  `,
}
