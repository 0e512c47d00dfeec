-- Returns prices, an array of { account_id, quota_id, price }, to the accounts and to the quotas of the
-- holds, even if a quota has ended since. Every transaction takes these locks in this order: accounts before
-- quotas, each by id.
create or replace function facilitator.return_prices(p_prices jsonb) returns void
language plpgsql set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off as $$
declare
  account_ids bigint[];
  quota_ids bigint[];
begin
  select array_agg(distinct p.account_id), array_agg(distinct p.quota_id) into account_ids, quota_ids
    from jsonb_to_recordset(p_prices) as p (account_id bigint, quota_id bigint);

  perform from facilitator.accounts a where a.id = any (account_ids) order by a.id for no key update;
  update facilitator.accounts a set available = a.available + returned.total
    from (select p.account_id, sum(p.price) as total
      from jsonb_to_recordset(p_prices) as p (account_id bigint, price numeric) group by p.account_id) returned
    where a.id = returned.account_id;

  perform from facilitator.payer_quotas q where q.id = any (quota_ids) order by q.id for no key update;
  update facilitator.payer_quotas q set used = q.used - returned.total
    from (select p.quota_id, sum(p.price) as total
      from jsonb_to_recordset(p_prices) as p (quota_id bigint, price numeric) group by p.quota_id) returned
    where q.id = returned.quota_id;
end $$;
