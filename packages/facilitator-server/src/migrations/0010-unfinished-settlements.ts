import type { Migration } from '@mintmark/server-kit'

/**
 * The age of the oldest settlement in each unfinished state, which operators are alerted by, is read from
 * this index.
 */
export const unfinishedSettlements: Migration = {
  id: '0010_unfinished_settlements',
  up: /* sql */ `
create index settlements_unfinished on facilitator.settlements (state, reserved_at) where state in ('sent', 'unknown');
`,
}
