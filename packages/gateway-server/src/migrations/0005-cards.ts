import type { Migration } from '@mintmark/server-kit'
import { ADDRESS, KEY, limits, NAME, TEXT, URL } from './limits.ts'
import { indexIds, tenant } from './tenant.ts'

/** Cards of all programs, and their verifications. */
export const cards: Migration = {
  id: '0005_cards',
  up: `
    create table gateway.cards (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      program text not null check (program in ('promo_code', 'event', 'commemorative', 'membership')),
      name text not null,
      creator text not null default '',
      chain_id text not null default '',
      nft_address text not null,
      nft_id text not null default '',
      nft_type text not null default '',
      start_time timestamptz not null,
      end_time timestamptz not null,
      validity_period timestamptz not null,
      total_issued bigint not null check (total_issued > 0),
      used_count bigint not null default 0,
      is_checked_in boolean not null default false,
      amount numeric not null default 0,
      applicable_stores text[] not null default '{}',
      -- membership cards: the level and what members get
      level text not null default '',
      benefits text[] not null default '{}',
      background_image_url text not null default '',
      logo_url text not null default '',
      image_url text not null default '',
      -- unguessable: whoever presents the code holds the card
      qr_code text not null,
      -- the creator's own picture; '' if the server draws one
      qr_code_url text not null default '',
      usage_instructions text not null default '',
      deleted boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      constraint cards_end_after_start check (end_time > start_time),
      constraint cards_used_within_issued check (used_count between 0 and total_issued),
      constraint cards_valid_after_start check (validity_period > start_time),
      constraint cards_qr_code unique (project_id, qr_code)
    );
    create index cards_creator on gateway.cards (project_id, program, creator, id) where not deleted;
    create index cards_program on gateway.cards (project_id, program, id) where not deleted;
    create index cards_name on gateway.cards (project_id, program, name, id) where not deleted;
    create index cards_start on gateway.cards (project_id, program, start_time, id) where not deleted;
    create index cards_end on gateway.cards (project_id, program, end_time, id) where not deleted;
    create index cards_created on gateway.cards (project_id, program, created_at) where not deleted;
    create index cards_removed on gateway.cards (project_id, program, id) where deleted;
    create index cards_contract on gateway.cards (project_id, program, nft_address, id) where not deleted;
    create index cards_nft on gateway.cards (project_id, program, nft_address, nft_id, id) where not deleted;
    ${indexIds('cards')}
    ${tenant('cards')}
    ${limits('cards', {
      characters: { name: NAME, nft_address: ADDRESS, nft_id: KEY, usage_instructions: TEXT, level: NAME },
      bytes: {
        background_image_url: URL,
        logo_url: URL,
        image_url: URL,
        qr_code_url: URL,
        'applicable_stores::text': 65_536,
        'benefits::text': 32_768,
      },
      items: { applicable_stores: 1000, benefits: 1000 },
    })}

    -- The stores that accept a card, '' for every store. Maintained by a trigger. An index on the array would not be used under
    -- row-level security, whose conditions run before functions that are not leakproof.
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

    -- One row for each request of a scanner, refused or not.
    create table gateway.card_verifications (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      program text not null check (program in ('promo_code', 'event', 'membership')),
      -- null if no card was found
      card_id bigint,
      action text not null check (action in ('REDEEM', 'CHECK_IN')),
      nonce text not null,
      device text not null default '',
      store text not null default '',
      verifier text not null default '',
      -- the requested card, to distinguish a repeated request from a reused nonce
      requested_card text not null,
      result text not null default 'REFUSED' check (result in ('OK', 'REFUSED')),
      reason text not null default 'unknown',
      created_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      constraint card_verifications_nonce unique (project_id, program, device, nonce),
      constraint card_verifications_reason check ((result = 'OK') = (reason = '')),
      foreign key (project_id, card_id) references gateway.cards (project_id, id)
    );
    create index card_verifications_program on gateway.card_verifications (project_id, program, id);
    create index card_verifications_card on gateway.card_verifications (project_id, program, card_id, id);
    create index card_verifications_store on gateway.card_verifications (project_id, program, store, id);
    create index card_verifications_verifier on gateway.card_verifications (project_id, program, verifier, id);
    create index card_verifications_created on gateway.card_verifications (project_id, program, created_at);
    ${indexIds('card_verifications')}
    ${tenant('card_verifications')}
    ${limits('card_verifications', { characters: { nonce: KEY, device: KEY, store: KEY, verifier: KEY } })}

    -- A membership card is accepted once per store and day: only the first verification inserts a row.
    create table gateway.card_visits (
      project_id bigint not null,
      card_id bigint not null,
      store text not null,
      -- in the time zone of the stores
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
