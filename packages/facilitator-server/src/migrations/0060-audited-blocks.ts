import type { Migration } from '@mintmark/server-kit'

/** Up to which block the payments of our signers on a chain were compared with the settlements. */
export const auditedBlocks: Migration = {
  id: '0060_audited_blocks',
  up: /* sql */ `
create table facilitator.audited_blocks (
  chain_id bigint primary key,
  -- All earlier blocks were compared.
  next_block numeric(78, 0) not null,
  -- A final block. Its payments are compared when it has been known for long enough that they must be settled and charged.
  known_block numeric(78, 0) not null,
  known_at timestamptz not null default clock_timestamp()
);
`,
}
