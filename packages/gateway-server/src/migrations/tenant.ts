/** Turns on row-level security for a table of projects' rows: a connection sees and writes those of the project it is bound to. */
export const tenant = (table: string) => `
    alter table gateway.${table} enable row level security;
    create policy tenant on gateway.${table}
      using (project_id = current_setting('mintmark.project', true)::bigint);`
