import type { Migration } from '@mintmark/server-kit'

/** Orders the deliveries of a webhook by their times, so that a range of times is a range of the index. */
export const deliveryRanges: Migration = {
  id: '0073_delivery_ranges',
  up: /* sql */ `
drop index facilitator.deliveries_by_webhook;
create index deliveries_by_webhook on facilitator.deliveries (webhook_id, created_at, id);
`,
}
