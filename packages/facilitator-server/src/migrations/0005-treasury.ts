import type { Migration } from '@mintmark/server-kit'

/**
 * Withdrawals from the treasury, so that its balance on the chain can be compared with the credited deposits. The
 * cursors are removed: blocks read before are read again for their withdrawals, and no deposit is credited twice.
 */
export const treasuryTables: Migration = {
  id: '0005_treasury',
  up: /* sql */ `
create table facilitator.treasury_withdrawals (
  chain_id bigint not null,
  treasury text not null,
  hash text not null,
  -- Which of its transaction's withdrawals.
  position integer not null,
  log_index integer not null,
  recipient text not null,
  amount numeric(78, 0) not null,
  block_number numeric(78, 0) not null,
  block_hash text not null,
  primary key (chain_id, treasury, hash, position)
);
create index treasury_withdrawals_by_block on facilitator.treasury_withdrawals (chain_id, treasury, block_number);

delete from facilitator.deposit_cursors;
`,
}
