import type { Migration } from '@mintmark/server-kit'

/**
 * The signer and the nonce of each attempt. They differ from those of the transaction if it was signed again
 * under another nonce, because another program had used the first one.
 */
export const attemptNonces: Migration = {
  id: '0030_attempt_nonces',
  up: /* sql */ `
alter table facilitator.transaction_attempts add column signer text, add column nonce bigint;
update facilitator.transaction_attempts a set signer = t.signer, nonce = t.nonce
  from facilitator.transactions t where t.id = a.transaction_id;
alter table facilitator.transaction_attempts alter column signer set not null, alter column nonce set not null;
alter table facilitator.transactions add column mined_at timestamptz;
update facilitator.transactions set mined_at = created_at where state in ('mined', 'final');
`,
}
