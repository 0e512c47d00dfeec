import type { Migration } from '@mintmark/server-kit'

/**
 * The payments of a payer that a balance may not reflect yet. The index also has the block and the upstream,
 * by which `amount_in_flight` leaves out settled payments without reading their rows.
 */
export const paymentsInFlight: Migration = {
  id: '0125_payments_in_flight',
  up: /* sql */ `
drop index facilitator.settlements_in_flight;
create index settlements_in_flight on facilitator.settlements (network, asset, payer, ended_at, block_number, upstream)
  where state in ('sent', 'unknown', 'settled') and final_at is null;
`,
}
