-- Base units that payments in flight may still take from a balance that was read at the block p_block,
-- p_read_age ago. A payment that was mined after p_block counts although it is settled, because that balance
-- does not reflect it. Settled payments count for a minute, longer than a healthy node lags behind. If the
-- block of a settled payment is not known, it counts until our transaction is mined. If we have none, the
-- balance reflects the payment if it was settled before the balance was read.
--
-- The block of a balance comes from a contract. On some chains, such as Arbitrum, contracts see the block
-- numbers of another chain. A number that is far from the chain's newest block is one of these: then a payment
-- counts as if the balance had no block.
--
-- With p_domain, base units that payments of this domain may still take from an allowance, which was read
-- like a balance. A payment with an approval of its own replaces the allowance, so it takes all of it: 1e78
-- is more than any.
--
-- The parts of the union leave out payments that the balance reflects, by conditions that the index
-- settlements_in_flight checks: a payer with thousands of payments in the last minute costs little more than
-- one with few.
create or replace function facilitator.amount_in_flight(p_network text, p_asset text, p_payer text, p_block numeric,
  p_read_age interval, p_domain text default null) returns numeric
language sql stable set enable_seqscan to off as $$
  with balance as materialized (
    select case when (select abs(h.block_number - p_block) > 100000 from facilitator.chain_heads h where h.network = p_network)
      then null else p_block end as block
  )
  select coalesce(sum(case when p_domain is not null and f.own_allowance then 1e78 else f.amount end), 0) from (
    select s.id, s.domain, s.amount, s.own_allowance, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = p_network and s.asset = p_asset and s.payer = p_payer and s.final_at is null
      and s.state in ('sent', 'unknown') and s.ended_at is null
      -- An expired authorization cannot move money.
      and s.valid_before > extract(epoch from statement_timestamp()) - 60
    union all
    select s.id, s.domain, s.amount, s.own_allowance, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = p_network and s.asset = p_asset and s.payer = p_payer and s.final_at is null and s.state = 'settled'
      and s.ended_at > statement_timestamp() - interval '60 seconds' and s.ended_at >= statement_timestamp() - p_read_age
    union all
    select s.id, s.domain, s.amount, s.own_allowance, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = p_network and s.asset = p_asset and s.payer = p_payer and s.final_at is null and s.state = 'settled'
      and s.ended_at > statement_timestamp() - interval '60 seconds' and s.ended_at < statement_timestamp() - p_read_age
      and s.block_number > coalesce((select b.block from balance b), -1)
    union all
    select s.id, s.domain, s.amount, s.own_allowance, s.state, s.block_number, s.ended_at from facilitator.settlements s
    where s.network = p_network and s.asset = p_asset and s.payer = p_payer and s.final_at is null and s.state = 'settled'
      and s.ended_at > statement_timestamp() - interval '60 seconds' and s.ended_at < statement_timestamp() - p_read_age
      and s.block_number is null and s.upstream = 'built-in'
  ) f
  left join lateral (select t.succeeded is null as unmined, case when t.succeeded then t.block_number end as block_number
    from facilitator.transactions t where t.settlement_id = f.id limit 1) own on true
  where (p_domain is null or f.domain = p_domain) and not coalesce(coalesce(f.block_number, own.block_number) <= (select b.block from balance b),
    f.state = 'settled' and f.ended_at < statement_timestamp() - p_read_age and own.unmined is not true)
$$;
