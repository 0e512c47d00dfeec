import type { Migration } from '@mintmark/server-kit'

/**
 * The payment channels for which the facilitator signed transactions, for the list that operators read.
 *
 * The rows identify channels and decide nothing: what was deposited and claimed is read from the chain. A row
 * is written together with the signed transaction, whatever becomes of that.
 */
export const knownChannels: Migration = {
  id: '0150_known_channels',
  up: /* sql */ `
create table facilitator.channels (
  id bigint generated always as identity primary key,
  chain_id bigint not null,
  channel_id text not null,
  payer text not null,
  receiver text not null,
  token text not null,
  -- Seconds between the announcement of a withdrawal and its execution.
  withdraw_delay bigint not null,
  -- The largest total that the payer has signed, of the vouchers in our transactions.
  highest_voucher numeric(78, 0) not null,
  -- The newest settlement for which a transaction about the channel was signed.
  settlement_id bigint not null references facilitator.settlements,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  constraint channels_unique unique (chain_id, channel_id)
);
create index channels_by_payer on facilitator.channels (payer, id);
create index channels_by_receiver on facilitator.channels (receiver, id);
`,
}
