import type { Migration } from '@mintmark/server-kit'

/** Operators' decisions that earlier reverted transactions of a payer or an account no longer count. */
export const revertClearances: Migration = {
  id: '0061_revert_clearances',
  up: /* sql */ `
create table facilitator.revert_clearances (
  -- 'payer/' and the wallet, or 'account/' and the id.
  subject text primary key,
  -- Transactions that were signed before do not count.
  cleared_at timestamptz not null,
  actor text not null,
  reason text not null
);
`,
}
