-- Reserves the price of many settlements in one account, in one statement: waits for the rows of the account and its
-- quota, then grants as many of the items as both can pay, and writes those as `sent` with a hold each.
--
-- A payment that was not sent is reserved again in its own row, with a new hold, if the same account presents the same
-- terms. Concurrent repeats wait for the account's row, so that exactly one of them is granted.
--
-- An item that the same attempt has already reserved is granted without a second hold: the caller repeats the statement
-- after it lost the connection at COMMIT. `newly_reserved` distinguishes the two.
--
-- The settings exclude scans and hash joins. A session makes the plans at its first call, when the tables may be small, and
-- keeps them. All look-ups use indexes.
create or replace function facilitator.reserve_settlements(p_account bigint, p_price numeric, p_lease interval, p_items jsonb)
returns table (attempt uuid, settlement_id bigint, granted boolean, newly_reserved boolean, shortage text,
               available numeric, remaining numeric, quota_limit numeric, quota_nonce numeric)
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  account facilitator.accounts%rowtype;
  quota facilitator.payer_quotas%rowtype;
  epoch numeric;
  quota_left numeric := 0;
  capacity integer;
  round_ids bigint[];
  reserved_ids bigint[] := '{}';
begin
  select * into strict account from facilitator.accounts a where a.id = p_account for no key update;
  select * into quota from facilitator.payer_quotas q
    where q.account_id = p_account and q.ended_at is null for no key update;
  -- The time after the wait for the locks: a quota that expired during the wait has expired.
  epoch := extract(epoch from clock_timestamp());
  if quota.id is not null and epoch >= quota.valid_after and epoch < quota.valid_before then
    quota_left := quota.limit_amount - quota.used;
  end if;
  capacity := case when account.frozen_at is not null then 0
    else least(div(account.available, p_price), div(quota_left, p_price), jsonb_array_length(p_items)) end;

  -- Each round has its own snapshot, so that the next round can grant the capacity that a conflict left unused.
  while capacity > 0 loop
    with reserved as (
      insert into facilitator.settlements as s (order_no, account_id, quota_id, price, network, domain, payer, nonce,
        fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, idempotency_key,
        upstream, attempt, lease_until)
      select i.order_no, p_account, quota.id, p_price, i.network, i.domain, i.payer, i.nonce,
        i.fingerprint, i.wire_network, i.x402_version, i.scheme, i.asset, i.pay_to, i.amount, i.valid_before, i.api,
        i.idempotency_key, i.upstream, i.attempt, clock_timestamp() + p_lease
      from (
        -- One item per payment, because a statement must not update a row twice.
        select distinct on (item.network, item.domain, item.payer, item.nonce) item.*
        from jsonb_to_recordset(p_items) as item (order_no text, network text, domain text, payer text, nonce text,
          fingerprint text, wire_network text, x402_version smallint, scheme text, asset text, pay_to text,
          amount numeric, valid_before numeric, api text, idempotency_key text, upstream text, attempt uuid)
        where not exists (select from facilitator.settlements s
          where s.network = item.network and s.domain = item.domain and s.payer = item.payer and s.nonce = item.nonce
            and not (s.state = 'not_sent' and s.account_id = p_account and s.fingerprint = item.fingerprint))
        order by item.network, item.domain, item.payer, item.nonce, item.attempt
      ) i
      -- The same order in every call: two batches with the same payments wait for each other instead of deadlocking.
      order by i.network, i.domain, i.payer, i.nonce
      limit capacity
      on conflict on constraint settlements_unique_payment do update set
        reservation = s.reservation + 1, reserved_at = clock_timestamp(), quota_id = excluded.quota_id,
        price = excluded.price, wire_network = excluded.wire_network, x402_version = excluded.x402_version,
        api = excluded.api, idempotency_key = excluded.idempotency_key, upstream = excluded.upstream,
        state = 'sent', hold = 'held', attempt = excluded.attempt, lease_until = excluded.lease_until, check_count = 0,
        upstream_status = null, upstream_responded = false, reason = null, message = null, transaction = null,
        reconciled = false
        where s.state = 'not_sent' and s.account_id = excluded.account_id and s.fingerprint = excluded.fingerprint
      returning s.id, s.reservation
    ), held as (
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
        reservation)
      select 'hold', 'available', 'held', p_price, p_account, quota.id, reserved.id, reserved.reservation
      from reserved
    )
    select coalesce(array_agg(reserved.id), '{}') into round_ids from reserved;
    exit when cardinality(round_ids) = 0;
    reserved_ids := reserved_ids || round_ids;
    capacity := capacity - cardinality(round_ids);
  end loop;

  if cardinality(reserved_ids) > 0 then
    update facilitator.accounts a set available = a.available - p_price * cardinality(reserved_ids)
      where a.id = p_account returning a.available into account.available;
    update facilitator.payer_quotas q set used = q.used + p_price * cardinality(reserved_ids) where q.id = quota.id;
    quota_left := quota_left - p_price * cardinality(reserved_ids);
  end if;

  return query
    select i.attempt, s.id, coalesce(s.attempt = i.attempt and s.state = 'sent', false), s.id = any (reserved_ids),
      case when s.id is not null then null
        when account.frozen_at is not null then 'frozen'
        when account.available < p_price then 'balance'
        else 'quota' end,
      account.available, quota_left, quota.limit_amount, quota.nonce
    from jsonb_to_recordset(p_items)
      as i (network text, domain text, payer text, nonce text, fingerprint text, attempt uuid)
    -- A payment that could have been reserved again, and was not, is short like a payment without a settlement.
    left join facilitator.settlements s
      on s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce
        and not (s.state = 'not_sent' and s.account_id = p_account and s.fingerprint = i.fingerprint);
end $$;
