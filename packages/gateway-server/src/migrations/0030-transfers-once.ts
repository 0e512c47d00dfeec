import type { Migration } from '@mintmark/server-kit'

/**
 * Orders the index that stores each transfer once by block. The indexer writes blocks in order, so that new
 * entries are next to each other, and the index also finds the transfers after a block.
 */
export const transfersOnce: Migration = {
  id: '0030_transfers_once',
  up: `
    alter table gateway.chain_transfers
      drop constraint chain_transfers_once,
      add constraint chain_transfers_once unique (chain_id, block_number, tx_hash, log_index, batch_index);
    drop index gateway.chain_transfers_block;
  `,
}
