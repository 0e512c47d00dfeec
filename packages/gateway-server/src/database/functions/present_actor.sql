-- Returns who makes the changes of this connection: the setting that the servers and commands bind it to, or
-- `server`.
create or replace function gateway.present_actor() returns text
language sql stable set search_path = pg_catalog, pg_temp as $$
  select left(coalesce(nullif(current_setting('mintmark.actor', true), ''), 'server'), 200)
$$;
