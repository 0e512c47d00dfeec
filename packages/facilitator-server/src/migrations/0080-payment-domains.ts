import type { Migration } from '@mintmark/server-kit'

/** The nonce of a payment by Permit2 is unique for all assets of the payer. */
export const paymentDomains: Migration = {
  id: '0080_payment_domains',
  up: /* sql */ `
-- The contract that keeps the nonce: the asset, for EIP-3009.
alter table facilitator.transactions rename column asset to domain;
alter table facilitator.settlements add constraint settlements_known_scheme check (scheme in ('exact', 'upto'));
`,
}
