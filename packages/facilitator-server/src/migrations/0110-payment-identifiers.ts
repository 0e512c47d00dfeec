import type { Migration } from '@mintmark/server-kit'

/**
 * The payers' identifiers of payments (extension `payment-identifier`).
 *
 * The index is unique among payments that were or may still be executed. `reserve_settlements` keeps it so
 * under the lock of the account, which every payment with the same identifier needs, and the index proves it.
 * A payment that failed or was not sent leaves its identifier to another one.
 */
export const paymentIdentifiers: Migration = {
  id: '0110_payment_identifiers',
  up: /* sql */ `
alter table facilitator.settlements add column payment_identifier text;
create unique index settlements_unique_identifier on facilitator.settlements (payment_identifier, account_id, payer)
  where payment_identifier is not null and state in ('sent', 'unknown', 'settled');
`,
}
