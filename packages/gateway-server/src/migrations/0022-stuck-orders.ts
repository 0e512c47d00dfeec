import type { Migration } from '@mintmark/server-kit'

/** Finds the oldest order of each kind that needs a person without reading the others. */
export const stuckOrders: Migration = {
  id: '0022_stuck_orders',
  up: `
    create index orders_awaiting_delivery on gateway.orders (created_at) where delivery = 'pending' and phase_id is null;
    create index order_payments_mismatched on gateway.order_payments (reported_at)
      where outcome not in ('', 'paid', 'reverted', 'unrelated', 'refunded', 'dismissed');
  `,
}
