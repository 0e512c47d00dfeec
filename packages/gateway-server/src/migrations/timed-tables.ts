/**
 * The tables whose rows change by time alone, each with the columns of these times. The rows of other tables
 * are ended by jobs of their own.
 */
const TIMED_TABLES = {
  auctions: ['start_time'],
  cards: ['start_time', 'validity_period'],
  coupons: ['start_time', 'end_time'],
  lazy_nfts: ['reserved_until'],
  listings: ['start_time'],
  mint_phases: ['start_time', 'end_time'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Adds the columns of which `set_time_due` maintains the first, and finds the times of existing rows. */
export const addTimeColumns = Object.entries(TIMED_TABLES)
  .map(([table, columns]) => {
    const times = columns
      .map((column) => `case when ${column} > clock_timestamp() then ${column} end`)
      .join(', ')
    return `
    alter table gateway.${table}
      -- the next time at which the row changes by itself; null for none
      add column time_due_at timestamptz,
      -- the last of these times that pass_times has recorded
      add column time_passed_at timestamptz;
    create index ${table}_time_due on gateway.${table} (time_due_at) where time_due_at is not null;
    -- This is no change that is reported.
    alter table gateway.${table} disable trigger user;
    update gateway.${table} set time_due_at = least(${times}) where least(${times}) is not null;
    alter table gateway.${table} enable trigger user;`
  })
  .join('')

/** The triggers that maintain the next time of a row, by the function that they call. */
export const timeTriggers: Readonly<Record<string, string>> = {
  set_time_due: Object.entries(TIMED_TABLES)
    .map(
      ([table, columns]) => `
create or replace trigger set_time_due before insert or update of ${columns.join(', ')}, time_passed_at on gateway.${table}
  for each row execute function gateway.set_time_due(${columns.map((column) => `'${column}'`).join(', ')});`,
    )
    .join('\n'),
}
