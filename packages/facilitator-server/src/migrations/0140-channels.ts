import type { Migration } from '@mintmark/server-kit'

/** Settlements of payment channels. */
export const channels: Migration = {
  id: '0140_channels',
  up: /* sql */ `
alter table facilitator.settlements drop constraint settlements_known_scheme;
-- Not validated, because a scan would block settles: earlier rows satisfied a narrower check.
alter table facilitator.settlements add constraint settlements_known_scheme
  check (scheme in ('exact', 'upto', 'batch-settlement')) not valid;
`,
}
