import type { Migration } from '@mintmark/server-kit'

/**
 * An index for the payouts of channels that paid nothing, which count as reverts of their accounts. The
 * constant is x402's contract of the scheme batch-settlement.
 */
export const failedOperations: Migration = {
  id: '0155_failed_operations',
  up: /* sql */ `
create index settlements_failed_operations on facilitator.settlements (ended_at, account_id)
  where state = 'failed' and domain = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003';
`,
}
