-- Stores the rows with a sealed secret that a statement changed, as capture_changes does for tables with a
-- project and an id: the keys of minters, one for each project, and the secrets of API keys. A digest stands
-- for what is sealed, so that a change of it alone is a change.
create or replace function gateway.capture_sealed_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  capturing_actor constant text := gateway.present_actor();
  old_row jsonb;
  new_row jsonb;
begin
  if tg_op <> 'INSERT' then
    old_row := to_jsonb(old) || jsonb_build_object('sealed', encode(sha256(convert_to(old.sealed, 'UTF8')), 'hex'));
  end if;
  if tg_op <> 'DELETE' then
    new_row := to_jsonb(new) || jsonb_build_object('sealed', encode(sha256(convert_to(new.sealed, 'UTF8')), 'hex'));
  end if;
  insert into gateway.row_changes (project_id, relation, actor, before, after)
    select (coalesce(new_row, old_row) ->> 'project_id')::bigint, tg_table_name, capturing_actor, old_row, new_row
    where old_row is distinct from new_row;
  return null;
end $$;
