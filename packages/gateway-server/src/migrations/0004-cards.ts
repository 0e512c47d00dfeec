import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** Membership cards, the lists' orders and filters, and what scanners asked of cards. */
export const cards: Migration = {
  id: '0004_cards',
  up: `
    alter table gateway.cards
      -- membership: what kind of member, and what members get
      add column level text not null default '',
      add column benefits text[] not null default '{}',
      add constraint cards_valid_after_start check (validity_period > start_time);

    -- an index for each order of the lists, and for each filter
    create index cards_program on gateway.cards (project_id, program, id) where not deleted;
    create index cards_name on gateway.cards (project_id, program, name, id) where not deleted;
    create index cards_start on gateway.cards (project_id, program, start_time, id) where not deleted;
    create index cards_end on gateway.cards (project_id, program, end_time, id) where not deleted;
    create index cards_created on gateway.cards (project_id, program, created_at) where not deleted;
    create index cards_removed on gateway.cards (project_id, program, id) where deleted;
    create index cards_nft on gateway.cards (project_id, program, nft_address, nft_id, id) where not deleted;

    -- which cards are good in a store, '' standing for every store; kept by a trigger. An index of the array itself would not be used
    -- under row-level security, whose conditions come before what is not leakproof
    create table gateway.card_stores (
      project_id bigint not null,
      program text not null,
      store text not null,
      card_id bigint not null,
      primary key (project_id, program, store, card_id),
      foreign key (project_id, card_id) references gateway.cards (project_id, id)
    );
    create index card_stores_card on gateway.card_stores (project_id, card_id);
    ${tenant('card_stores')}

    create function gateway.keep_card_stores() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' then
        delete from gateway.card_stores where project_id = new.project_id and card_id = new.id;
      end if;
      insert into gateway.card_stores (project_id, program, store, card_id)
        select distinct new.project_id, new.program, store, new.id
        from unnest(case when new.applicable_stores = '{}' then '{""}' else new.applicable_stores end) as store;
      return null;
    end $$;
    create trigger keep_card_stores_of_new after insert on gateway.cards
      for each row execute function gateway.keep_card_stores();
    create trigger keep_card_stores after update of applicable_stores on gateway.cards
      for each row when (old.applicable_stores <> new.applicable_stores) execute function gateway.keep_card_stores();
    insert into gateway.card_stores (project_id, program, store, card_id)
      select distinct project_id, program, store, id from gateway.cards
      cross join unnest(case when applicable_stores = '{}' then '{""}' else applicable_stores end) as store;

    -- one row for each thing a scanner asked, refused or not
    create table gateway.card_verifications (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      program text not null check (program in ('promo_code', 'event', 'membership')),
      -- null where no card was found
      card_id bigint,
      action text not null check (action in ('REDEEM', 'CHECK_IN')),
      nonce text not null,
      device text not null default '',
      store text not null default '',
      verifier text not null default '',
      -- the card as it was asked for, to tell a repeat from a nonce used again
      asked text not null,
      result text not null default 'REFUSED' check (result in ('OK', 'REFUSED')),
      reason text not null default 'unknown',
      created_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint card_verifications_nonce unique (project_id, program, device, nonce),
      constraint card_verifications_reason check ((result = 'OK') = (reason = '')),
      foreign key (project_id, card_id) references gateway.cards (project_id, id)
    );
    create index card_verifications_program on gateway.card_verifications (project_id, program, id);
    create index card_verifications_card on gateway.card_verifications (project_id, program, card_id, id);
    create index card_verifications_store on gateway.card_verifications (project_id, program, store, id);
    create index card_verifications_verifier on gateway.card_verifications (project_id, program, verifier, id);
    create index card_verifications_created on gateway.card_verifications (project_id, program, created_at);
    ${tenant('card_verifications')}

    -- a membership card is taken once a store and day: the first verification has the row
    create table gateway.card_visits (
      project_id bigint not null,
      card_id bigint not null,
      store text not null,
      -- in the stores' time zone
      day date not null,
      action text not null,
      verification_id bigint not null,
      primary key (project_id, card_id, store, day),
      foreign key (project_id, card_id) references gateway.cards (project_id, id),
      foreign key (project_id, verification_id) references gateway.card_verifications (project_id, id)
    );
    ${tenant('card_visits')}
  `,
}
