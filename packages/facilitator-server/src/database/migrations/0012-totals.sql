-- What accounts are paid and charged: for each day (UTC) on which settles were first requested, network, asset and
-- resource.
--
-- A transition appends what it changes to `total_changes`, so that no settle waits for a row of sums. A job adds the
-- changes to `daily_totals`. The view has both, and with it what is true at each moment.

create table facilitator.daily_totals (
  account_id bigint not null,
  day date not null,
  network text not null,
  asset text not null,
  resource text not null,
  settled bigint not null,
  failed bigint not null,
  -- What settled payments paid, in base units of the asset.
  amount numeric not null,
  -- What settled refunds gave back, in the same units.
  refunded numeric not null,
  charged numeric not null,
  primary key (account_id, day, network, asset, resource)
);

create table facilitator.total_changes (
  id bigint generated always as identity primary key,
  like facilitator.daily_totals
);

create view facilitator.account_totals as
  select account_id, day, network, asset, resource, settled, failed, amount, refunded, charged from facilitator.daily_totals
  union all
  select account_id, day, network, asset, resource, settled, failed, amount, refunded, charged from facilitator.total_changes;
