import type { Migration } from '@mintmark/server-kit'

/**
 * The newest block of each chain, and the one that was known when a settlement was reserved: the use of its
 * nonce is searched from there.
 */
export const reservedBlocks: Migration = {
  id: '0020_reserved_blocks',
  up: /* sql */ `
create table facilitator.chain_heads (
  network text primary key,
  block_number numeric(78, 0) not null,
  observed_at timestamptz not null default clock_timestamp()
);

-- A block that the chain had before the settlement was reserved. Null: none was known.
alter table facilitator.settlements add column reserved_block numeric(78, 0);
`,
}
