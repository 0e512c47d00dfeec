import type { Migration } from '@mintmark/server-kit'
import { endFunction, reserveFunction } from './0001-functions.ts'

/**
 * Settlements of which nothing was sent: their price is released, and the same payment can be reserved again in the same
 * row. Each reservation has transfers of its own, so that the ledger stays append-only.
 *
 * Programs from before it would sign for a settlement that is no longer theirs, so they do not start on this schema.
 */
export const notSentSettlements: Migration = {
  id: '0004_not_sent',
  contracts: true,
  up: /* sql */ `
-- Counts how often the price was held for the payment.
alter table facilitator.settlements add column reservation integer not null default 1;
alter table facilitator.settlements add column reserved_at timestamptz not null default clock_timestamp();
update facilitator.settlements set reserved_at = created_at;
-- Who executes it. Only of the built-in upstream does a missing transaction prove that nothing was sent.
alter table facilitator.settlements add column upstream text not null default 'remote'
  check (upstream in ('built-in', 'remote'));
alter table facilitator.settlements drop constraint the_hold_follows_the_state;
alter table facilitator.settlements add constraint the_hold_follows_the_state check (
  (state = 'sent' and hold = 'held')
  or (state = 'not_sent' and hold = 'released')
  or (state = 'unknown' and hold in ('held', 'captured'))
  or (state = 'settled' and hold = 'captured')
  or (state = 'failed' and hold in ('captured', 'released', 'refunded')));

create or replace function facilitator.guard_settlement() returns trigger language plpgsql as $$
begin
  -- A payment that was not sent may be sent again. A settled one becomes unknown when a reorganization takes it off the
  -- chain. Failed is the end.
  if not ((old.state = 'sent' and new.state in ('settled', 'failed', 'unknown', 'not_sent'))
      or (old.state = 'unknown' and new.state in ('settled', 'failed', 'not_sent'))
      or (old.state = 'settled' and new.state = 'unknown')
      or (old.state = 'not_sent' and new.state = 'sent')) then
    raise exception 'a settlement does not go from % to %', old.state, new.state using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

-- Which of its settlement's reservations a transfer belongs to.
alter table facilitator.ledger_transfers add column reservation integer not null default 1;
drop index facilitator.one_transfer_a_step;
-- A reservation is held, captured, released and refunded at most once each.
create unique index one_transfer_a_step on facilitator.ledger_transfers (settlement_id, reservation, kind)
  where settlement_id is not null;
drop index facilitator.captured_or_released;
-- And it is either captured or released.
create unique index captured_or_released on facilitator.ledger_transfers (settlement_id, reservation)
  where kind in ('capture', 'release');
${reserveFunction}${endFunction}`,
}
