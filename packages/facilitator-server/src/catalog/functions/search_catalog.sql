-- Returns the ids of the newest entries of the catalog that match, at most p_limit. A parameter that is null
-- matches every entry. Planned for the values of each call: the terms decide whether the entries are read
-- from the index of terms, or from the newest on.
create or replace function facilitator.search_catalog(p_terms tsquery, p_min_amount numeric, p_max_amount numeric,
  p_before bigint, p_limit integer) returns setof bigint
language plpgsql stable set plan_cache_mode to force_custom_plan set jit to off as $$
begin
  return query select e.id from facilitator.catalog_entries e
    where (p_terms is null or e.terms @@ p_terms)
      and (p_min_amount is null or e.amount >= p_min_amount)
      and (p_max_amount is null or e.amount <= p_max_amount)
      and (p_before is null or e.id < p_before)
    order by e.id desc limit p_limit;
end $$;
