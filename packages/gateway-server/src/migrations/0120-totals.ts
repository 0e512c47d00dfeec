import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * How much happened in a project, in parts of 15 minutes: every time zone's days consist of such parts. The
 * sequencer adds events to them in the transaction that numbers the events, so that each one counts once.
 */
export const totals: Migration = {
  id: '0120_totals',
  up: `
    create table gateway.totals (
      project_id bigint not null references gateway.projects on delete cascade,
      -- When the 15 minutes begin.
      period timestamptz not null,
      -- The type of the counted events.
      type text not null,
      -- The token in which the events' orders were paid; '' for events that have no amount, and as the address of native tokens.
      chain_id text not null,
      pay_token_address text not null,
      pay_token_decimals integer not null,
      -- How many events.
      events bigint not null,
      -- The sum of their amounts, in base units.
      amount numeric not null,
      primary key (project_id, period, type, chain_id, pay_token_address),
      constraint totals_limits check (char_length(type) <= 100 and char_length(chain_id) <= 100
        and char_length(pay_token_address) <= 200)
    );
    ${tenant('totals')}
    revoke insert, update, delete on gateway.totals from mintmark_gateway;
  `,
}
