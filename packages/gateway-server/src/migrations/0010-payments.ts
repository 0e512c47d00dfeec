import type { Migration } from '@mintmark/server-kit'

/** An order can have several payments: the one it is a success by, and those that go back. Each counts once in the world all the same. */
export const payments: Migration = {
  id: '0010_payments',
  up: `
    drop index gateway.consumed_payments_order;
    create index consumed_payments_order on gateway.consumed_payments (project_id, order_id);
  `,
}
