import type { Migration } from '@mintmark/server-kit'

/** Indexes for the lists of grants that operators read. */
export const grantLists: Migration = {
  id: '0145_grant_lists',
  up: /* sql */ `
-- The grants of an account or a wallet, newest first.
create index approval_grants_newest_by_account on facilitator.approval_grants (account_id, transaction_id);
create index approval_grants_newest_by_payer on facilitator.approval_grants (payer, transaction_id);
drop index facilitator.approval_grants_by_account;
-- The largest totals of a day.
create index approval_grant_totals_by_day on facilitator.approval_grant_totals (day, cost);
`,
}
