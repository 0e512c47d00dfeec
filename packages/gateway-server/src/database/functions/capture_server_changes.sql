-- Stores the changes of people, of what they sign in with, of invitations of operators, and of database
-- sessions that an operator ended. They belong to no project, so that the audit log of the server has them: its
-- project number is 0. The first argument of the trigger lists the columns whose change alone is not stored. The
-- second one lists the columns with secrets: a digest stands for each, so that a change of a secret alone counts.
create or replace function gateway.capture_server_changes() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ignored constant text[] := string_to_array(tg_argv[0], ',');
  old_row jsonb;
  new_row jsonb;
  secret text;
begin
  if tg_op <> 'INSERT' then old_row := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then new_row := to_jsonb(new); end if;
  foreach secret in array string_to_array(tg_argv[1], ',') loop
    if old_row ->> secret is not null then
      old_row := jsonb_set(old_row, array[secret], to_jsonb(encode(sha256(convert_to(old_row ->> secret, 'UTF8')), 'hex')));
    end if;
    if new_row ->> secret is not null then
      new_row := jsonb_set(new_row, array[secret], to_jsonb(encode(sha256(convert_to(new_row ->> secret, 'UTF8')), 'hex')));
    end if;
  end loop;
  insert into gateway.row_changes (project_id, relation, actor, before, after)
    select 0, tg_table_name, gateway.present_actor(), old_row, new_row
    where old_row - ignored is distinct from new_row - ignored;
  return null;
end $$;
