-- Counts the undecided expired signatures of all projects, by chain.
create or replace function gateway.undecided_mints()
returns table (chain_id text, count bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select k.chain_id, count(*) from gateway.mint_reservations r
  join gateway.mint_collections c on c.project_id = r.project_id and c.id = r.collection_id
  join gateway.contracts k on k.project_id = c.project_id and k.id = c.contract_id
  -- Such a signature is due until it is decided. The index has what is due.
  where r.due_at is not null and r.status = 'SIGNED' and r.undecided_attempts > 0
  group by k.chain_id
$$;
revoke all on function gateway.undecided_mints() from public;
grant execute on function gateway.undecided_mints() to mintmark_gateway;
