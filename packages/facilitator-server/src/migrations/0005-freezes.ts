import type { Migration } from '@mintmark/server-kit'

/** Distinguishes freezes by a reversed deposit, which end when the deposit is found again, from an operator's. */
export const freezeColumns: Migration = {
  id: '0005_freezes',
  up: /* sql */ `
alter table facilitator.accounts
  add column frozen_by_reversal boolean not null default false,
  add constraint only_a_frozen_account_has_a_cause check (frozen_at is not null or not frozen_by_reversal);

update facilitator.accounts set frozen_by_reversal = true
  where frozen_reason ~ '^deposit 0x[0-9a-f]{64} was lost in a reorganisation$';
`,
}
