-- Refuses every change of an append-only table.
create or replace function facilitator.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger append_only before update or delete or truncate on facilitator.ledger_transfers
  execute function facilitator.refuse_change();
create or replace trigger append_only before update or delete or truncate on facilitator.charges
  execute function facilitator.refuse_change();
create or replace trigger append_only before update or delete or truncate on facilitator.settlement_resolutions
  execute function facilitator.refuse_change();
create or replace trigger append_only before update or delete or truncate on facilitator.operator_decisions
  execute function facilitator.refuse_change();
create or replace trigger append_only before update or delete or truncate on facilitator.events
  execute function facilitator.refuse_change();
-- A settlement changes its state, but its row stays.
create or replace trigger never_deleted before delete or truncate on facilitator.settlements
  execute function facilitator.refuse_change();
-- Settlements and charges refer to accounts and quotas without foreign keys.
create or replace trigger never_deleted before delete or truncate on facilitator.accounts
  execute function facilitator.refuse_change();
create or replace trigger never_deleted before delete or truncate on facilitator.payer_quotas
  execute function facilitator.refuse_change();
