import type { Migration } from '@mintmark/server-kit'

/** Payments by Permit2 whose approval is for themselves only. It replaces the allowance of the wallet. */
export const ownAllowances: Migration = {
  id: '0165_own_allowances',
  up: /* sql */ `
alter table facilitator.settlements add column own_allowance boolean not null default false;
`,
}
