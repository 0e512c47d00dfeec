/*
 * Both functions keep away from scans and hash joins by their settings: their plans are made, and kept, when a session
 * first runs them, and would otherwise be plans for tables that were small then. What they look for is found by index.
 */

/**
 * Takes the price of many settlements from one account, in one statement: it waits for the account's and the quota's
 * rows, then grants exactly as many of the items as both can pay, and writes those as `sent` with their holds.
 *
 * A payment that was not sent is reserved again in its own row, with a hold of its own, if the same account presents the
 * same terms. Concurrent repeats wait for the account's row, so that exactly one of them gets it.
 *
 * An item that is reserved already under the same attempt is granted without a second hold: after a connection was lost
 * at COMMIT, the same statement is sent again. `fresh` distinguishes the two.
 */
export const reserveFunction = /* sql */ `
create or replace function facilitator.reserve_settlements(the_account bigint, the_price numeric, lease interval, items jsonb)
returns table (attempt uuid, settlement_id bigint, granted boolean, fresh boolean, shortage text,
               available numeric, remaining numeric, quota_limit numeric, quota_nonce numeric)
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  account facilitator.accounts%rowtype;
  quota facilitator.payer_quotas%rowtype;
  epoch numeric;
  quota_left numeric := 0;
  room integer;
  added bigint[];
  taken bigint[] := '{}';
begin
  select * into strict account from facilitator.accounts a where a.id = the_account for no key update;
  select * into quota from facilitator.payer_quotas q
    where q.account_id = the_account and q.ended_at is null for no key update;
  -- Read after the locks were waited for: a quota that ran out meanwhile has run out.
  epoch := extract(epoch from clock_timestamp());
  if quota.id is not null and epoch >= quota.valid_after and epoch < quota.valid_before then
    quota_left := quota.limit_amount - quota.used;
  end if;
  room := case when account.frozen_at is not null then 0
    else least(div(account.available, the_price), div(quota_left, the_price), jsonb_array_length(items)) end;

  -- Each round has a snapshot of its own, so that what a conflict took from one round, the next can grant.
  while room > 0 loop
    with reserved as (
      insert into facilitator.settlements as s (order_no, account_id, quota_id, price, network, domain, payer, nonce,
        fingerprint, wire_network, x402_version, scheme, asset, pay_to, amount, valid_before, door, idempotency_key,
        upstream, attempt, lease_until)
      select i.order_no, the_account, quota.id, the_price, i.network, i.domain, i.payer, i.nonce,
        i.fingerprint, i.wire_network, i.x402_version, i.scheme, i.asset, i.pay_to, i.amount, i.valid_before, i.door,
        i.idempotency_key, i.upstream, i.attempt, clock_timestamp() + lease
      from (
        -- One item a payment, because a statement may not update a row twice.
        select distinct on (item.network, item.domain, item.payer, item.nonce) item.*
        from jsonb_to_recordset(items) as item (order_no text, network text, domain text, payer text, nonce text,
          fingerprint text, wire_network text, x402_version smallint, scheme text, asset text, pay_to text,
          amount numeric, valid_before numeric, door text, idempotency_key text, upstream text, attempt uuid)
        where not exists (select from facilitator.settlements s
          where s.network = item.network and s.domain = item.domain and s.payer = item.payer and s.nonce = item.nonce
            and not (s.state = 'not_sent' and s.account_id = the_account and s.fingerprint = item.fingerprint))
        order by item.network, item.domain, item.payer, item.nonce, item.attempt
      ) i
      -- One order for everybody: two batches that want the same payments wait for each other instead of locking up.
      order by i.network, i.domain, i.payer, i.nonce
      limit room
      on conflict on constraint one_settlement_a_payment do update set
        reservation = s.reservation + 1, reserved_at = clock_timestamp(), quota_id = excluded.quota_id,
        price = excluded.price, wire_network = excluded.wire_network, x402_version = excluded.x402_version,
        door = excluded.door, idempotency_key = excluded.idempotency_key, upstream = excluded.upstream,
        state = 'sent', hold = 'held', attempt = excluded.attempt, lease_until = excluded.lease_until, checks = 0,
        upstream_status = null, upstream_answered = false, reason = null, message = null, transaction = null,
        reconciled = false
        where s.state = 'not_sent' and s.account_id = excluded.account_id and s.fingerprint = excluded.fingerprint
      returning s.id, s.reservation
    ), held as (
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
        reservation)
      select 'hold', 'available', 'held', the_price, the_account, quota.id, reserved.id, reserved.reservation
      from reserved
    )
    select coalesce(array_agg(reserved.id), '{}') into added from reserved;
    exit when cardinality(added) = 0;
    taken := taken || added;
    room := room - cardinality(added);
  end loop;

  if cardinality(taken) > 0 then
    update facilitator.accounts a set available = a.available - the_price * cardinality(taken)
      where a.id = the_account returning a.available into account.available;
    update facilitator.payer_quotas q set used = q.used + the_price * cardinality(taken) where q.id = quota.id;
    quota_left := quota_left - the_price * cardinality(taken);
  end if;

  return query
    select i.attempt, s.id, coalesce(s.attempt = i.attempt and s.state = 'sent', false), s.id = any (taken),
      case when s.id is not null then null
        when account.frozen_at is not null then 'frozen'
        when account.available < the_price then 'balance'
        else 'quota' end,
      account.available, quota_left, quota.limit_amount, quota.nonce
    from jsonb_to_recordset(items)
      as i (network text, domain text, payer text, nonce text, fingerprint text, attempt uuid)
    -- One that could have been reserved again, and was not, is short like a payment without a settlement.
    left join facilitator.settlements s
      on s.network = i.network and s.domain = i.domain and s.payer = i.payer and s.nonce = i.nonce
        and not (s.state = 'not_sent' and s.account_id = the_account and s.fingerprint = i.fingerprint);
end $$;
`

/**
 * Makes transitions, each guarded by what its row must still be, with their charges and ledger transfers. Answers the
 * rows that moved, as they are now.
 */
export const endFunction = /* sql */ `
create or replace function facilitator.move_settlements(items jsonb) returns setof facilitator.settlements
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
begin
  return query
    with wanted as (
      select * from jsonb_to_recordset(items) as w (
        id bigint, attempt uuid, from_state text, from_hold text, state text, hold text, move text, debit text,
        credit text, cause text, transaction text, reason text, message text, upstream_status integer,
        upstream_answered boolean, block_number numeric, block_hash text, final boolean, reconciled boolean,
        deliver_to uuid, lease_seconds float8)
    ), moved as (
      update facilitator.settlements s set
        state = w.state,
        hold = w.hold,
        transaction = coalesce(w.transaction, s.transaction),
        reason = w.reason,
        message = w.message,
        upstream_status = coalesce(w.upstream_status, s.upstream_status),
        upstream_answered = s.upstream_answered or w.upstream_answered,
        block_number = w.block_number,
        block_hash = w.block_hash,
        final_at = case when w.final then clock_timestamp() end,
        reconciled = s.reconciled or w.reconciled,
        answered_to = coalesce(s.answered_to, w.deliver_to),
        answered_at = coalesce(s.answered_at, case when w.deliver_to is not null then clock_timestamp() end),
        lease_until = clock_timestamp() + make_interval(secs => w.lease_seconds),
        checks = 0,
        ended_at = case when w.state in ('settled', 'failed') then clock_timestamp() end
      from wanted w
      where s.id = w.id and s.attempt = w.attempt and s.state = w.from_state and s.hold = w.from_hold
      returning s as settlement, w.move, w.debit, w.credit, w.cause
    ), charged as (
      insert into facilitator.charges (settlement_id, account_id, quota_id, amount, cause)
      select (m.settlement).id, (m.settlement).account_id, (m.settlement).quota_id, (m.settlement).price, m.cause
      from moved m where m.move = 'capture'
    ), entered as (
      insert into facilitator.ledger_transfers (kind, debit, credit, amount, account_id, quota_id, settlement_id,
        reservation)
      select m.move, m.debit, m.credit, (m.settlement).price, (m.settlement).account_id, (m.settlement).quota_id,
        (m.settlement).id, (m.settlement).reservation
      from moved m where m.move is not null
    )
    select (m.settlement).* from moved m;
end $$;
`
