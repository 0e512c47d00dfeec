-- Payment channels for which the facilitator signed transactions, and the vouchers that accounts presented.

-- The rows identify channels and decide nothing: what was deposited and claimed is read from the chain. A row
-- is written together with the signed transaction, whatever becomes of that.
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
  -- The newest settlement for which a claim of the channel, without a refund, was signed. No other one is
  -- sent while it is not mined.
  claim_settlement_id bigint references facilitator.settlements,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  constraint channels_unique unique (chain_id, channel_id)
);
-- the operators' list of a payer's channels
create index channels_by_payer on facilitator.channels (payer, id);
-- the operators' list of a receiver's channels
create index channels_by_receiver on facilitator.channels (receiver, id);

-- The highest voucher of each channel that an account presented and that verification accepted, for sellers
-- that lost theirs. Accounts have rows of their own, also for the same channel: one that presents another
-- seller's voucher changes nothing for that seller.
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
-- the list of an account's channels
create unique index channel_vouchers_newest on facilitator.channel_vouchers (account_id, id);
-- the list of an account's channels with a payer
create index channel_vouchers_by_payer on facilitator.channel_vouchers (account_id, payer, id);
-- the list of an account's channels with a receiver
create index channel_vouchers_by_receiver on facilitator.channel_vouchers (account_id, receiver, id);
