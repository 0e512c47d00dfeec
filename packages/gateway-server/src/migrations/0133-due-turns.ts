import type { Migration } from '@mintmark/server-kit'

/**
 * Finds what is due of one project, and the projects that have something due, without reading the rows of
 * others.
 */
export const dueTurns: Migration = {
  id: '0133_due_turns',
  up: `
    drop index gateway.orders_due;
    create index orders_due on gateway.orders (project_id, due_at) where due_at is not null;
    drop index gateway.mint_reservations_due;
    create index mint_reservations_due on gateway.mint_reservations (project_id, due_at) where due_at is not null;
  `,
}
