import type { Migration } from '@mintmark/server-kit'

/**
 * What payers have in flight is compared with their balance before a payment is reserved, and payers and accounts whose
 * transactions revert are refused for a while.
 */
export const payerFunds: Migration = {
  id: '0005_payer_funds',
  up: /* sql */ `
-- One row a payer and asset, locked while payments are reserved, so that concurrent reservations count each other.
create table facilitator.payer_locks (
  network text not null,
  asset text not null,
  payer text not null,
  primary key (network, asset, payer)
);

create index settlements_in_flight on facilitator.settlements (network, asset, payer, ended_at)
  where state in ('sent', 'unknown', 'settled') and final_at is null;
create index transactions_reverted on facilitator.transactions (created_at) where succeeded = false;
create index transactions_reverted_by_payer on facilitator.transactions (payer, created_at) where succeeded = false;

-- Base units that payments in flight may still take from a balance that was read at the block at_block, read_age ago.
-- A payment that was mined after at_block counts although it is settled: that balance does not reflect it. Settled
-- payments are looked up for a minute, longer than a healthy node lags behind. Where the block of a settled payment is
-- not known, the balance reflects it if it was settled before the balance was read.
create function facilitator.amount_in_flight(the_network text, the_asset text, the_payer text, at_block numeric,
  read_age interval) returns numeric
language sql stable set enable_seqscan to off as $$
  select coalesce(sum(f.amount), 0) from (
    select s.id, s.amount, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = the_network and s.asset = the_asset and s.payer = the_payer and s.final_at is null
      and s.state in ('sent', 'unknown') and s.ended_at is null
      -- An authorization past its end cannot move money any more.
      and s.valid_before > extract(epoch from statement_timestamp()) - 60
    union all
    select s.id, s.amount, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = the_network and s.asset = the_asset and s.payer = the_payer and s.final_at is null
      and s.state = 'settled' and s.ended_at > statement_timestamp() - interval '60 seconds'
  ) f
  left join lateral (select t.block_number from facilitator.transactions t
    where t.settlement_id = f.id::text and t.succeeded limit 1) mined on true
  where not coalesce(coalesce(f.block_number, mined.block_number) <= at_block,
    f.state = 'settled' and f.ended_at < statement_timestamp() - read_age)
$$;

-- Transactions that were mined in vain, signed since then. One whose payment somebody else made does not count.
create function facilitator.payer_reverts(the_payer text, since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t
  where t.succeeded = false and t.payer = the_payer and t.created_at > since
    and not exists (select from facilitator.settlements s where s.id = t.settlement_id::bigint and s.state = 'settled')
$$;
create function facilitator.account_reverts(the_account bigint, since timestamptz) returns bigint
language sql stable as $$
  select count(*) from facilitator.transactions t join facilitator.settlements s on s.id = t.settlement_id::bigint
  where t.succeeded = false and t.created_at > since and s.account_id = the_account and s.state <> 'settled'
$$;

-- Reserves as reserve_settlements does, except for payments that the payer's balance does not cover beside what is in
-- flight ('funds'), and for payers and accounts with too many reverts ('reverts'). 0 means no limit. The payers'
-- locks come before the account's, everywhere.
create function facilitator.reserve_covered_settlements(the_account bigint, the_price numeric, lease interval,
  items jsonb, revert_window interval, payer_limit bigint, account_limit bigint)
returns table (attempt uuid, settlement_id bigint, granted boolean, fresh boolean, shortage text,
               available numeric, remaining numeric, quota_limit numeric, quota_nonce numeric)
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  since timestamptz := statement_timestamp() - revert_window;
  any_reverts boolean;
  too_many boolean;
  refused jsonb;
  covered jsonb;
begin
  -- Locks the row also where it exists already, which a plain "do nothing" would not.
  insert into facilitator.payer_locks as held (network, asset, payer)
  select distinct i.network, i.asset, i.payer
  from jsonb_to_recordset(items) as i (network text, asset text, payer text, balance numeric)
  where i.balance is not null order by i.network, i.asset, i.payer
  on conflict (network, asset, payer) do update set payer = excluded.payer where false;

  any_reverts := payer_limit > 0 and exists (select from facilitator.transactions t
    where t.succeeded = false and t.created_at > since);
  too_many := account_limit > 0 and facilitator.account_reverts(the_account, since) >= account_limit;
  with item as (
    select i.*, row_number() over (partition by i.network, i.domain, i.payer, i.nonce order by i.attempt) as occurrence
    from jsonb_to_recordset(items) as i (attempt uuid, network text, domain text, asset text, payer text, nonce text,
      amount numeric, balance numeric, at_block numeric, read_age_ms float8)
    -- A payment that has a settlement already is answered by it, and its amount is in flight already.
    -- A scalar subquery, so that the state is no reason to use another index than that of the payment's key.
    where not coalesce((select s.state in ('sent', 'unknown', 'settled', 'failed') from facilitator.settlements s
      where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce), false)
  ), requested as (
    select item.*,
      -- Small amounts first, so that a large one that is refused refuses none of them.
      sum(item.amount) filter (where item.occurrence = 1) over (partition by item.network, item.asset, item.payer
        order by item.amount, item.nonce, item.occurrence) as total,
      -- 1 is the newest reading of the payer's balance.
      row_number() over (partition by item.network, item.asset, item.payer
        order by item.at_block desc nulls last, item.read_age_ms) as reading
    from item
  ), payers as (
    select r.network, r.asset, r.payer, array_agg(r.attempt) as attempts, array_agg(r.total) as totals,
      max(r.balance) filter (where r.reading = 1) as balance, max(r.at_block) filter (where r.reading = 1) as at_block,
      max(r.read_age_ms) filter (where r.reading = 1) as read_age_ms
    from requested r group by r.network, r.asset, r.payer
  ), means as materialized (
    -- Most payers have nothing in flight and no reverts: the functions are called for the others only.
    select p.attempts, p.totals,
      p.balance - case when p.balance is not null and exists (select from facilitator.settlements s
          where s.network = p.network and s.asset = p.asset and s.payer = p.payer and s.final_at is null
            and s.state in ('sent', 'unknown', 'settled')
            and (s.ended_at is null or s.ended_at > statement_timestamp() - interval '60 seconds'))
        then facilitator.amount_in_flight(p.network, p.asset, p.payer, p.at_block,
          make_interval(secs => p.read_age_ms / 1000))
        else 0 end as uncommitted,
      case when any_reverts then facilitator.payer_reverts(p.payer, since) >= payer_limit else false end as reverts
    from payers p
  ), judged as (
    select request.attempt, case
      when m.reverts or too_many then 'reverts'
      when request.total > m.uncommitted then 'funds' end as cause
    from means m cross join lateral unnest(m.attempts, m.totals) as request (attempt, total)
  )
  select coalesce(jsonb_object_agg(judged.attempt, judged.cause), '{}') into refused
  from judged where judged.cause is not null;

  if refused = '{}' then
    return query select * from facilitator.reserve_settlements(the_account, the_price, lease, items);
    return;
  end if;
  select jsonb_agg(each.item) into covered from jsonb_array_elements(items) as each (item)
    where not refused ? (each.item ->> 'attempt');
  if covered is not null then
    return query select * from facilitator.reserve_settlements(the_account, the_price, lease, covered);
  end if;
  return query select r.key::uuid, null::bigint, false, false, r.value, null::numeric, null::numeric, null::numeric,
    null::numeric from jsonb_each_text(refused) r;
end $$;
`,
}
