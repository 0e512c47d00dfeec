-- Reserves the price of many settlements of any number of accounts, in one statement: waits for the rows of
-- the accounts, then grants as many items of each account as it and its quota can pay, and writes those as
-- `sent` with a hold each. Items that refuse_for_payers refuses are not reserved. Records an event for each
-- threshold that a balance or a quota crosses.
--
-- Without p_wait, the items of accounts whose row is locked are not reserved ('busy'), so that one account
-- cannot delay the others. All writers of an account's quotas lock the account first. Locks are taken in this
-- order: accounts by id, payers, payments by key.
--
-- A payment that was not sent is reserved again in its own row, with a new hold, if the same account presents
-- the same terms. Concurrent repeats wait for the account's row, so that exactly one of them is granted.
--
-- An item whose payer's identifier belongs to another payment of the same account and payer, which was or may
-- still be executed, is not reserved ('identifier'). Of several payments with one identifier, one is
-- reserved. Payments with the same identifier have the same account, so that the lock of the account orders
-- them.
--
-- An item that the same attempt has already reserved is granted without a second hold: the caller repeats the
-- statement after it lost the connection.
--
-- The settings exclude scans and hash joins. A session makes the plans at its first call, when the tables may
-- be small, and keeps them. All look-ups use indexes. A scalar subquery is neither joined nor hashed, unlike
-- `exists`, which a plan for a small table turns into a scan of an index.
create or replace function facilitator.reserve_settlements(p_items facilitator.requested_settlement[], p_wait boolean, p_price numeric,
  p_lease interval, p_revert_window interval, p_payer_limit bigint, p_account_limit bigint, p_low_balance numeric, p_enqueue jsonb)
returns table (attempt uuid, settlement_id bigint, granted boolean, shortage text)
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off
set plan_cache_mode to force_generic_plan as $$
declare
  -- The items of the locked accounts.
  items facilitator.requested_settlement[] := p_items;
  requested_ids bigint[];
  account_ids bigint[];
  refused jsonb := '{}';
  any_identifiers boolean := exists (select from unnest(p_items) as i where i.payment_identifier is not null);
  any_allowances boolean := exists (select from unnest(p_items) as i where i.own_allowance or i.allowance is not null);
  epoch numeric;
  chosen integer;
  granted_attempts uuid[] := '{}';
  granted_ids bigint[] := '{}';
  round_attempts uuid[];
  round_ids bigint[];
  crossing_subjects text[];
  crossing_types text[];
  crossing_accounts bigint[];
  crossing_data jsonb[];
begin
  select array_agg(distinct i.account_id order by i.account_id) into requested_ids from unnest(p_items) as i;
  if p_wait then
    select array_agg(a.id) into account_ids from (select b.id from facilitator.accounts b
      where b.id = any (requested_ids) order by b.id for no key update) a;
    if account_ids is distinct from requested_ids then
      raise exception 'An account of a reservation does not exist' using errcode = 'foreign_key_violation';
    end if;
  else
    select coalesce(array_agg(a.id), '{}') into account_ids from (select b.id from facilitator.accounts b
      where b.id = any (requested_ids) order by b.id for no key update skip locked) a;
    if account_ids <> requested_ids then
      select coalesce(array_agg(i), '{}') into items from unnest(p_items) as i where i.account_id = any (account_ids);
    end if;
  end if;

  if any_identifiers then
    refused := facilitator.refuse_for_identifiers(items);
  end if;
  if refused = '{}' then
    refused := facilitator.refuse_for_payers(items, p_revert_window, p_payer_limit, p_account_limit);
  else
    -- An item that is refused takes nothing of the payer's balance.
    refused := refused || facilitator.refuse_for_payers(
      (select coalesce(array_agg(i), '{}') from unnest(items) as i where not refused ? i.attempt::text),
      p_revert_window, p_payer_limit, p_account_limit);
  end if;
  if any_allowances then
    refused := refused || facilitator.refuse_for_allowances(
      (select coalesce(array_agg(i), '{}') from unnest(items) as i where not refused ? i.attempt::text));
  end if;
  -- The time after the wait for the locks: a quota that expired during the wait has expired.
  epoch := extract(epoch from clock_timestamp());

  -- Each round has its own snapshot, so that the next round can grant the capacity that a conflict left
  -- unused.
  loop
    with payable as (
      -- One item per payment, because a statement must not update a row twice.
      select distinct on (i.nonce, i.payer, i.domain, i.network) i.*, q.id as quota_id,
        least(div(a.available, p_price), div(q.limit_amount - q.used, p_price)) as capacity
      from unnest(items) as i
      join facilitator.accounts a on a.id = i.account_id
      join facilitator.payer_quotas q on q.account_id = i.account_id and q.ended_at is null
      where a.frozen_at is null and a.available >= p_price
        and q.limit_amount - q.used >= p_price and epoch >= q.valid_after and epoch < q.valid_before
        and not refused ? i.attempt::text
        and not exists (select from facilitator.settlements s
          where s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce
            and not (s.state = 'not_sent' and s.account_id = i.account_id and s.fingerprint = i.fingerprint))
        and (not any_identifiers or (select true from facilitator.settlements s
          where s.payment_identifier = i.payment_identifier and s.account_id = i.account_id
            and s.payer = i.payer and s.state in ('sent', 'unknown', 'settled')
            and (s.nonce, s.domain, s.network) <> (i.nonce, i.domain, i.network) limit 1) is null)
      order by i.nonce, i.payer, i.domain, i.network, i.attempt
    ), distinct_identifier as (
      select p.* from payable p where p.payment_identifier is null
      union all
      select i.* from (select distinct on (p.account_id, p.payer, p.payment_identifier) p.* from payable p
        where p.payment_identifier is not null
        order by p.account_id, p.payer, p.payment_identifier, p.nonce, p.domain, p.network) i
    ), choice as (
      select ranked.* from (
        select p.*, row_number() over (partition by p.account_id order by p.nonce, p.payer, p.domain, p.network) as place
        from distinct_identifier p) ranked
      where ranked.place <= ranked.capacity
    ), reserved as (
      insert into facilitator.settlements as s (order_no, account_id, quota_id, price, network, domain, payer, nonce,
        fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, api, idempotency_key,
        payment_identifier, upstream, attempt, lease_until, own_allowance,
        reverts_count_for, refund_amount, refund_of, resource, reserved_block)
      select c.order_no, c.account_id, c.quota_id, p_price, c.network, c.domain, c.payer, c.nonce,
        c.fingerprint, c.wire_network, c.x402_version, c.scheme, c.asset, c.pay_to, c.amount, c.valid_before, c.api,
        c.idempotency_key, c.payment_identifier, c.upstream, c.attempt, clock_timestamp() + p_lease,
        c.own_allowance, c.reverts_count_for, c.refund_amount, c.refund_of, c.resource,
        -- The use of the nonce is searched from here. A payment that is reserved again keeps its first block.
        (select h.block_number from facilitator.chain_heads h where h.network = c.network)
      from choice c
      -- The same order in every call: two batches with the same payments wait for each other instead of
      -- deadlocking.
      order by c.nonce, c.payer, c.domain, c.network
      on conflict on constraint settlements_unique_payment do update set
        reservation = s.reservation + 1, reserved_at = clock_timestamp(), quota_id = excluded.quota_id,
        price = excluded.price, wire_network = excluded.wire_network, x402_version = excluded.x402_version,
        api = excluded.api, idempotency_key = excluded.idempotency_key,
        payment_identifier = excluded.payment_identifier, resource = excluded.resource, upstream = excluded.upstream,
        state = 'sent', hold = 'held', attempt = excluded.attempt, lease_until = excluded.lease_until,
        own_allowance = excluded.own_allowance, check_count = 0,
        upstream_status = null, upstream_responded = false, reason = null, message = null, transaction = null,
        reconciled = false
        where s.state = 'not_sent' and s.account_id = excluded.account_id and s.fingerprint = excluded.fingerprint
      returning s.id, s.reservation, s.account_id, s.quota_id, s.attempt
    ), held as (
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
        reservation)
      select 'hold', 'available', 'held', p_price, r.account_id, r.quota_id, r.id, r.reservation from reserved r
    ), total as (
      select r.account_id, r.quota_id, p_price * count(*) as amount from reserved r group by r.account_id, r.quota_id
    ), debited as (
      update facilitator.accounts a set available = a.available - t.amount from total t where a.id = t.account_id
      returning a.id, a.payer, a.available, t.amount
    ), used as (
      update facilitator.payer_quotas q set used = q.used + t.amount from total t where q.id = t.quota_id
      returning q.account_id, q.nonce, q.limit_amount, q.limit_amount - q.used as remaining, t.amount
    ), crossing as (
      select d.id, 1 as position, 'payer:' || d.payer as subject, 'payer_balance.low' as type,
        jsonb_build_object('payer', d.payer, 'balance', d.available::text, 'threshold', p_low_balance::text) as data
      from debited d where d.available < p_low_balance and d.available + d.amount >= p_low_balance
      union all
      select d.id, 2, 'payer:' || d.payer, 'payer_quota.exhausted', jsonb_build_object('payer', d.payer,
        'nonce', u.nonce::text, 'limit', u.limit_amount::text, 'remaining', u.remaining::text)
      from used u join debited d on d.id = u.account_id
      where u.remaining < p_price and u.remaining + u.amount >= p_price
    ), ordered as (
      select c.* from crossing c order by c.id, c.position
    ), crossings as (
      select array_agg(o.subject) as subjects, array_agg(o.type) as types, array_agg(o.id) as accounts,
        array_agg(o.data) as data from ordered o
    ), granted as (
      select array_agg(r.attempt) as attempts, array_agg(r.id) as ids from reserved r
    )
    select (select count(*) from choice), g.attempts, g.ids, c.subjects, c.types, c.accounts, c.data
      into chosen, round_attempts, round_ids, crossing_subjects, crossing_types, crossing_accounts, crossing_data
      from granted g, crossings c;
    if crossing_subjects is not null then
      perform facilitator.record_events(crossing_subjects, crossing_types, crossing_accounts, crossing_data, p_enqueue);
    end if;
    granted_attempts := granted_attempts || round_attempts;
    granted_ids := granted_ids || round_ids;
    exit when chosen = 0 or cardinality(granted_attempts) = cardinality(items);
  end loop;

  return query select g.attempt, g.id, true, null::text from unnest(granted_attempts, granted_ids) as g (attempt, id);
  if cardinality(granted_attempts) = cardinality(p_items) then
    return;
  end if;
  return query
    select i.attempt, s.id, coalesce(s.attempt = i.attempt and s.state = 'sent', false),
      case when s.id is not null then null
        when refused ? i.attempt::text then refused ->> i.attempt::text
        -- This statement reserved another payment with the identifier.
        when (select true from facilitator.settlements o
          where o.payment_identifier = i.payment_identifier and o.account_id = i.account_id
            and o.payer = i.payer and o.state in ('sent', 'unknown', 'settled')
            and (o.nonce, o.domain, o.network) <> (i.nonce, i.domain, i.network) limit 1) then 'identifier'
        when not i.account_id = any (account_ids) then 'busy'
        when a.frozen_at is not null then 'frozen'
        when a.available < p_price then 'balance'
        else 'quota' end
    from unnest(p_items) as i
    left join facilitator.accounts a on a.id = i.account_id
    -- A payment that could have been reserved again, and was not, is short like a payment without a
    -- settlement.
    left join facilitator.settlements s
      on s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce
        and not (s.state = 'not_sent' and s.account_id = i.account_id and s.fingerprint = i.fingerprint)
        and not refused ? i.attempt::text
    where i.attempt <> all (granted_attempts);
end $$;
