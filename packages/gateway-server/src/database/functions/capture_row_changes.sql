-- Stores a changed row, as capture_changes does for tables with a project and an id. The arguments of the trigger:
-- the column with the project, empty for rows of people and of the server, which the audit log of the server has
-- as those of project 0; the columns whose change alone is not stored; and the columns with secrets: a digest
-- stands for each, so that a change of a secret alone counts.
create or replace function gateway.capture_row_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ignored constant text[] := string_to_array(tg_argv[1], ',');
  old_row jsonb;
  new_row jsonb;
  secret text;
begin
  if tg_op <> 'INSERT' then old_row := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then new_row := to_jsonb(new); end if;
  foreach secret in array string_to_array(tg_argv[2], ',') loop
    if old_row ->> secret is not null then
      old_row := jsonb_set(old_row, array[secret], to_jsonb(encode(sha256(convert_to(old_row ->> secret, 'UTF8')), 'hex')));
    end if;
    if new_row ->> secret is not null then
      new_row := jsonb_set(new_row, array[secret], to_jsonb(encode(sha256(convert_to(new_row ->> secret, 'UTF8')), 'hex')));
    end if;
  end loop;
  insert into gateway.row_changes (project_id, relation, actor, before, after)
    select coalesce((coalesce(new_row, old_row) ->> tg_argv[0])::bigint, 0), tg_table_name, gateway.present_actor(), old_row, new_row
    where old_row - ignored is distinct from new_row - ignored;
  return null;
end $$;
