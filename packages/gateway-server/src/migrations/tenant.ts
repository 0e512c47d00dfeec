/**
 * Enables row-level security for a table: a connection sees and writes only the rows of the project that it
 * is bound to.
 */
export const tenant = (table: string) => `
    alter table gateway.${table} enable row level security;
    create policy tenant on gateway.${table}
      using (project_id = current_setting('mintmark.project', true)::bigint);`

/**
 * Indexes the ids of a table alone, beside its primary key (project_id, id). Lists look up the rows of a page
 * by id. Until a table is analyzed, the planner otherwise may use any index that begins with project_id and
 * read all rows of the project for each row of the page.
 */
export const indexIds = (table: string) => `
    create index ${table}_id on gateway.${table} (id);`
