import type { Migration } from '@mintmark/server-kit'

/**
 * Finds old deliveries. Deliveries are written in the order of their times, so that a BRIN index of a few
 * kilobytes suffices.
 */
export const deliveryTimes: Migration = {
  id: '0072_delivery_times',
  up: /* sql */ `
create index deliveries_created on facilitator.deliveries using brin (created_at) with (pages_per_range = 32);
`,
}
