import type { Migration } from '@mintmark/server-kit'

/**
 * Removed webhooks keep their rows. Without them in the index, an account that adds and removes webhooks
 * again and again makes no event of its settles slower.
 */
export const presentWebhooks: Migration = {
  id: '0175_present_webhooks',
  up: /* sql */ `
create index webhooks_present on facilitator.webhooks (account_id, id) where status <> 'REMOVED';
drop index facilitator.webhooks_by_account;
`,
}
