import type { Migration } from '@mintmark/server-kit'

/**
 * Transactions that execute many payments, and how long settles of an account may wait for others.
 *
 * A batch is one transaction with a nonce. Each of its payments has a row of its own without a nonce, so that
 * a payment has one row however it is sent: with its outcome, its revert and its share of the gas.
 */
export const batches: Migration = {
  id: '0135_batches',
  up: /* sql */ `
alter table facilitator.transactions
  -- The batch that executes the payment.
  add column batch_id bigint references facilitator.transactions,
  alter column signer drop not null,
  alter column nonce drop not null,
  drop constraint transactions_purpose_check,
  add constraint transactions_purpose_check check (purpose in ('settle', 'fill', 'grant', 'batch') and (value = 0 or purpose = 'grant')),
  add constraint transactions_batched_without_nonce check (case when batch_id is null
    then signer is not null and nonce is not null else signer is null and nonce is null and purpose = 'settle' end);
create index transactions_by_batch on facilitator.transactions (batch_id) where batch_id is not null;
-- The sweep reads the payments that a mined batch did not execute.
create index transactions_batched_sent on facilitator.transactions (batch_id) where batch_id is not null and state = 'sent';

-- 0: a settle is never batched.
alter table facilitator.accounts add column batch_delay_ms integer not null default 0
  constraint accounts_batch_delay_in_range check (batch_delay_ms between 0 and 5000);
`,
}
