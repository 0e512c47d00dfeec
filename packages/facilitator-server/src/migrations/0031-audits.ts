import type { Migration } from '@mintmark/server-kit'

/**
 * The last audit, which one process runs for all, and up to which nonce the signers' transactions were
 * compared with the chain.
 */
export const audits: Migration = {
  id: '0031_audits',
  up: /* sql */ `
create table facilitator.audits (
  name text primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  -- The number of problems of each kind that the last finished audit found.
  problems jsonb not null default '{}'
);
-- Null before the first audit.
alter table facilitator.signer_nonces add column audited_nonce bigint;
`,
}
