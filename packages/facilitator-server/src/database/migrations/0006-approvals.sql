-- Gas that payers receive for the approval of Permit2 (extension `erc20ApprovalGasSponsoring`).
--
-- A wallet receives gas once for each asset, whatever becomes of it, so that the primary key bounds what a
-- wallet can take. The totals bound what the payers of an account can take in a day.

create table facilitator.approval_grants (
  chain_id bigint not null,
  payer text not null,
  asset text not null,
  account_id bigint not null references facilitator.accounts,
  -- The settlement for which the grant was signed.
  settlement_id bigint not null references facilitator.settlements,
  transaction_id bigint not null unique references facilitator.transactions,
  -- Wei that the wallet receives.
  amount numeric(78, 0) not null check (amount > 0),
  -- The amount and the most wei for the gas of its transfer, as counted in the total of the day.
  cost numeric(78, 0) not null,
  -- The hash of the approval that the gas is for.
  approval_hash text not null,
  created_at timestamptz not null default clock_timestamp(),

  constraint approval_grants_once primary key (chain_id, payer, asset),
  constraint approval_grants_cost check (cost >= amount)
);
-- the operators' list of an account's grants, newest first
create index approval_grants_newest_by_account on facilitator.approval_grants (account_id, transaction_id);
-- the operators' list of a wallet's grants, newest first
create index approval_grants_newest_by_payer on facilitator.approval_grants (payer, transaction_id);

create table facilitator.approval_grant_totals (
  account_id bigint not null references facilitator.accounts,
  chain_id bigint not null,
  -- UTC.
  day date not null,
  cost numeric(78, 0) not null,
  primary key (account_id, chain_id, day)
);
-- the largest totals of a day, for operators
create index approval_grant_totals_by_day on facilitator.approval_grant_totals (day, cost);
