-- Who sees and changes which rows, and how large their texts are.

-- A connection sees and writes only the rows of the project that it is bound to. A text without a check of its own has at
-- most 32,768 bytes. A later table with a project_id gets the same policy and checks beside its definition.
do $$
declare
  name text;
  sizes text;
begin
  foreach name in array array[
    'idempotency_keys',
    'wallet_info', 'address_book', 'fans', 'follows', 'messages', 'conversations', 'message_views',
    'contracts', 'nfts', 'nft_traits', 'transfers', 'assets', 'asset_reservations',
    'stores', 'campaigns', 'cards', 'card_stores', 'card_verifications', 'card_visits', 'card_settings', 'card_counts', 'media',
    'mintable_nfts', 'token_data', 'token_data_changes', 'minter_keys', 'mint_collections', 'mint_phases', 'mint_whitelist',
    'mint_wallets', 'mint_reservations',
    'coupons', 'coupon_codes', 'coupon_wallets', 'coupon_uses', 'listings', 'open_orders', 'auctions', 'bids', 'offers',
    'orders', 'order_checks', 'order_payments', 'disputed_payments', 'order_events', 'consumed_payments', 'sales', 'deliveries',
    'row_changes', 'event_counts', 'events', 'webhooks', 'webhook_deliveries', 'totals', 'audit_heads', 'audit_entries']
  loop
    execute format('alter table gateway.%I enable row level security', name);
    execute format('create policy tenant on gateway.%I
      using (project_id = current_setting(''mintmark.project'', true)::bigint)', name);
    select string_agg(format('octet_length(%I::text) <= 32768', attname), ' and ' order by attnum) into sizes
    from pg_attribute a
    where attrelid = format('gateway.%I', name)::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and atttypid in ('text'::regtype, 'text[]'::regtype) and not exists (
        select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'c' and a.attnum = any(k.conkey));
    if sizes is not null then
      execute format('alter table gateway.%I add constraint %I check (%s)', name, name || '_sizes', sizes);
    end if;
  end loop;
end $$;

-- A project sees the transfers of contracts that it has registered, and balances as its assets: without a policy no row of
-- them is visible.
alter table gateway.chain_transfers enable row level security;
create policy registered on gateway.chain_transfers for select using (exists (
  select from gateway.contracts c
  where c.project_id = current_setting('mintmark.project', true)::bigint and c.nft_address = chain_transfers.nft_address
    and c.chain_id = chain_transfers.chain_id and c.indexed and not c.deleted));
alter table gateway.chain_balances enable row level security;

-- The servers' role may use every table. Of these it only reads rows, which the owner of the schema writes: keys and
-- projects (commands of operators), the data of chains (the indexer), events and totals and the audit log (the sequencer).
revoke insert, update, delete on
  gateway.projects, gateway.api_keys, gateway.api_key_secrets, gateway.publishable_keys,
  gateway.chain_cursors, gateway.chain_blocks, gateway.indexed_contracts, gateway.chain_transfers, gateway.chain_balances,
  gateway.deliveries, gateway.transfer_history,
  gateway.row_changes, gateway.event_counts, gateway.events, gateway.totals, gateway.audit_heads, gateway.audit_entries
from mintmark_gateway;
-- The job that deletes pictures removes their objects first.
revoke delete on gateway.media from mintmark_gateway;
-- Append-only.
revoke update, delete on gateway.transfers, gateway.token_data_changes, gateway.bids, gateway.order_events from mintmark_gateway;
-- A removed webhook stays until its deliveries are deleted with their events.
revoke delete on gateway.webhooks, gateway.webhook_deliveries from mintmark_gateway;
-- Partitions are used through their tables: without a policy no row of them is visible.
alter table gateway.used_signatures_default enable row level security;
alter table gateway.events_default enable row level security;
alter table gateway.audit_entries_default enable row level security;
-- Only the owner uses the tables of people.
revoke all on
  gateway.people, gateway.people_sessions, gateway.people_accounts, gateway.people_challenges, gateway.people_second_factors,
  gateway.people_passkeys, gateway.people_rate_limits, gateway.people_secret, gateway.members, gateway.invitations,
  gateway.operator_invitations, gateway.session_ends
from mintmark_gateway;
