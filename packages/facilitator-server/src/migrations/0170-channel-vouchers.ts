import type { Migration } from '@mintmark/server-kit'

/**
 * The highest voucher of each payment channel that an account presented and that verification accepted, for
 * sellers that lost theirs.
 *
 * Accounts have rows of their own, also for the same channel: one that presents another seller's voucher
 * changes nothing for that seller.
 */
export const channelVouchers: Migration = {
  id: '0170_channel_vouchers',
  up: /* sql */ `
create table facilitator.channel_vouchers (
  -- For lists: ids have the order of creation, except of concurrent ones.
  id bigint generated always as identity,
  account_id bigint not null references facilitator.accounts,
  chain_id bigint not null,
  channel_id text not null,
  -- The configuration of the channel, of which its id is the hash.
  payer text not null,
  payer_authorizer text not null,
  receiver text not null,
  receiver_authorizer text not null,
  token text not null,
  -- Seconds between the announcement of a withdrawal and its execution.
  withdraw_delay bigint not null,
  salt text not null,
  -- The total that the voucher promises, in base units of the token.
  maximum numeric(78, 0) not null,
  signature text not null,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  primary key (account_id, chain_id, channel_id)
)
-- Each request of a payer changes the row of its channel, and no column of an index: the new version fits
-- into the same page.
with (fillfactor = 70);
create unique index channel_vouchers_newest on facilitator.channel_vouchers (account_id, id);
create index channel_vouchers_by_payer on facilitator.channel_vouchers (account_id, payer, id);
create index channel_vouchers_by_receiver on facilitator.channel_vouchers (account_id, receiver, id);
`,
}
