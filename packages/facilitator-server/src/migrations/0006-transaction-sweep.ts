import type { Migration } from '@mintmark/server-kit'

/** The sweep reads `sent` transactions by signer and nonce, and `mined` ones by block: an index for each. */
export const transactionSweepIndexes: Migration = {
  id: '0006_transaction_sweep',
  up: /* sql */ `
drop index facilitator.transactions_unfinished;
create index transactions_sent on facilitator.transactions (chain_id, signer, nonce) where state = 'sent';
create index transactions_mined on facilitator.transactions (chain_id, block_number, block_hash)
  where state = 'mined';
`,
}
