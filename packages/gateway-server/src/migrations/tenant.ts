/** Enables row-level security for a table: a connection sees and writes only the rows of the project that it is bound to. */
export const tenant = (table: string) => `
    alter table gateway.${table} enable row level security;
    create policy tenant on gateway.${table}
      using (project_id = current_setting('mintmark.project', true)::bigint);`
