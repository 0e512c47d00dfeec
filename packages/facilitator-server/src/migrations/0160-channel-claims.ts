import type { Migration } from '@mintmark/server-kit'

/**
 * The newest claim of each channel, so that no other one is sent while it is not mined. And an index for
 * claims and payouts whose outcome is unknown until their block is final: those that changed nothing count as
 * reverts of their accounts as soon as they are mined. The constant is x402's contract of the scheme
 * batch-settlement.
 */
export const channelClaims: Migration = {
  id: '0160_channel_claims',
  up: /* sql */ `
-- The newest settlement for which a claim of the channel, without a refund, was signed.
alter table facilitator.channels add column claim_settlement_id bigint references facilitator.settlements;
create index settlements_unknown_operations on facilitator.settlements (account_id)
  where state = 'unknown' and domain = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003';
`,
}
