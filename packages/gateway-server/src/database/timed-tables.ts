/**
 * The tables whose rows change by time alone, each with the columns of these times. The rows of other tables
 * are ended by jobs of their own.
 */
const TIMED_TABLES = {
  auctions: ['start_time'],
  cards: ['start_time', 'validity_period'],
  coupons: ['start_time', 'end_time'],
  listings: ['start_time'],
  mint_phases: ['start_time', 'end_time'],
  mintable_nfts: ['reserved_until'],
} as const satisfies Readonly<Record<string, readonly string[]>>

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
