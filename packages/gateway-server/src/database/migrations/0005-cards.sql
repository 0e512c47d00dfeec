-- Cards of all programs, and their verifications.

-- The trigram operators of the keyword indexes. Their other columns are expressions, so that no other index serves the
-- conditions of the search functions, whatever the statistics say.
select set_config('search_path', (select extnamespace::regnamespace::text from pg_extension where extname = 'pg_trgm'), true);

-- Where cards are presented. Names and codes of a project differ; the function that writes them holds a lock.
create table gateway.stores (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  name text not null check (char_length(name) <= 128),
  code text not null default '' check (char_length(code) <= 128),
  -- name and code as they are matched
  name_key text not null check (octet_length(name_key) <= 8192),
  code_key text not null default '' check (octet_length(code_key) <= 8192),
  address text not null default '' check (char_length(address) <= 4000),
  time_zone text not null check (char_length(time_zone) <= 128),
  status text not null default 'OPEN' check (status in ('OPEN', 'CLOSED')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id)
);
alter table gateway.api_keys add foreign key (project_id, store_id) references gateway.stores (project_id, id);

-- One template and any number of cards.
create table gateway.campaigns (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  name text not null check (char_length(name) <= 200),
  program text not null check (program in ('promo_code', 'event', 'commemorative', 'membership')),
  -- the columns of the cards
  template jsonb not null check (octet_length(template::text) <= 1048576),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'PAUSED', 'ENDED')),
  -- the most cards, those that are requested, and those that exist
  max_cards bigint not null,
  requested_cards bigint not null default 0,
  issued_cards bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint campaigns_cards check (0 <= issued_cards and issued_cards <= requested_cards and requested_cards <= max_cards),
  -- card_stores has a row for each card and store
  constraint campaigns_stores check (
    max_cards * greatest(1, coalesce(jsonb_array_length(template -> 'store_keys'), 0)) <= 5000000
  )
);
-- issueCampaigns
create index campaigns_unissued
  on gateway.campaigns (project_id, updated_at) where issued_cards < requested_cards and status <> 'ENDED';

create table gateway.cards (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  program text not null check (program in ('promo_code', 'event', 'commemorative', 'membership')),
  -- null for a card of its own
  campaign_id bigint,
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
  -- the verification that checked an event card in; null if none did
  check_in_id bigint,
  -- In the index of validity instead of used_count: most uses of a card then change no indexed value.
  is_exhausted boolean not null generated always as (used_count >= total_issued or is_checked_in) stored,
  amount numeric not null default 0,
  applicable_stores text[] not null default '{}',
  -- what the stores are matched by: ` #` and the id of a store, or a normalized name; empty for every store
  store_keys text[] not null default '{}',
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
  -- the caller's own reference; '' if it is not set
  reference text collate "C" not null default '',
  -- the wallet of the key that set the reference; '' for a key without a wallet
  reference_owner text collate "C" not null default '',
  -- the next time at which the row changes by itself, set by a trigger; null for none
  time_due_at timestamptz,
  -- the last of these times that pass_times has recorded
  time_passed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, campaign_id) references gateway.campaigns (project_id, id),
  constraint cards_end_after_start check (end_time > start_time),
  constraint cards_used_within_issued check (used_count between 0 and total_issued),
  constraint cards_valid_after_start check (validity_period > start_time),
  constraint cards_qr_code unique (project_id, qr_code),
  constraint cards_limits check (
    char_length(name) <= 200 and char_length(nft_address) <= 128 and char_length(nft_id) <= 128
    and char_length(usage_instructions) <= 4000 and char_length(level) <= 200
    and octet_length(background_image_url) <= 2048 and octet_length(logo_url) <= 2048
    and octet_length(image_url) <= 2048 and octet_length(qr_code_url) <= 2048
    and octet_length(applicable_stores::text) <= 65536 and octet_length(store_keys::text) <= 524288
    and octet_length(benefits::text) <= 32768 and cardinality(applicable_stores) <= 1000
    and cardinality(benefits) <= 1000 and char_length(reference) <= 100 and char_length(reference_owner) <= 128
  )
-- Space for the next version of a card, so that a use of it writes no entry in any index.
) with (fillfactor = 90);
-- promoCodeCards.list, promoCodeCards.search with a range of times
create index cards_program on gateway.cards (project_id, program, created_at, id) where not deleted;
-- promoCodeCards.listByCreator, promoCodeCards.listByOwner
create index cards_creator on gateway.cards (project_id, program, creator, created_at, id) where not deleted;
-- promoCodeCards.listByNft, promoCodeCards.listByOwner
create index cards_nft on gateway.cards (project_id, program, nft_address, nft_id, created_at, id) where not deleted;
-- promoCodeCards.search with a status
create index cards_validity on gateway.cards (project_id, program, is_exhausted, validity_period, id) where not deleted;
-- promoCodeCards.search with a reference
create index cards_reference
  on gateway.cards (project_id, program, reference, reference_owner, created_at, id) where not deleted and reference <> '';
-- promoCodeCards.search with a keyword, by search_cards
create index cards_keyword
  on gateway.cards using gin ((project_id + 0), (program || ''), name gin_trgm_ops) with (gin_pending_list_limit = 512);
-- pass_times: events of times that have passed
create index cards_time_due on gateway.cards (time_due_at) where time_due_at is not null;

-- What lists find a card by: the keys of the stores that accept it, '' for every store, and ` campaign` and the id of its
-- campaign. Maintained by a trigger. An index on the array would not be used under
-- row-level security, whose conditions run before functions that are not leakproof.
create table gateway.card_stores (
  project_id bigint not null,
  program text not null,
  store text not null,
  card_id bigint not null,
  primary key (project_id, program, store, card_id),
  foreign key (project_id, card_id) references gateway.cards (project_id, id)
);

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
  -- what its visits are recorded by, which does not change with the name
  store_key text not null default '',
  -- when the card was used, in the time zone of the store; null if no card was found
  day date,
  verifier text not null default '',
  -- the requested card, to distinguish a repeated request from a reused nonce
  requested_card text not null,
  -- how often a promo code card had been used then, so that a till shows it without reading the card
  used_count bigint not null default 0 check (used_count >= 0),
  result text not null default 'REFUSED' check (result in ('OK', 'REFUSED', 'REVERSED')),
  -- of a reversal: the reason that its caller gave
  reason text not null default 'unknown',
  -- who made the call
  actor text not null default '',
  -- of a reversal: the verification that it reverses
  reverses bigint,
  -- the reversal of this verification; null if it was not reversed
  reversed_by bigint,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint card_verifications_nonce unique (project_id, program, device, nonce),
  constraint card_verifications_reason check ((result = 'OK') = (reason = '')),
  constraint card_verifications_reverses check ((result = 'REVERSED') = (reverses is not null)),
  constraint card_verifications_reversed_by check (reversed_by is null or result = 'OK'),
  foreign key (project_id, card_id) references gateway.cards (project_id, id),
  constraint card_verifications_limits check (
    char_length(nonce) <= 128 and char_length(device) <= 128 and char_length(store) <= 128
    and octet_length(store_key) <= 8192 and char_length(verifier) <= 128 and octet_length(actor) <= 1024 and char_length(reason) <= 200
  )
);
-- promoCodeCards.verifications
create index card_verifications_program on gateway.card_verifications (project_id, program, created_at, id);
-- promoCodeCards.verifications of a card
create index card_verifications_card on gateway.card_verifications (project_id, program, card_id, created_at, id);
-- promoCodeCards.verifications of a store
create index card_verifications_store on gateway.card_verifications (project_id, program, store, created_at, id);

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

-- What a project sets for its cards; without a row, DEFAULT_SETTINGS.
create table gateway.card_settings (
  id bigint generated always as identity,
  project_id bigint primary key references gateway.projects (id),
  reversal_minutes integer not null check (reversal_minutes between 0 and 10080),
  reversals_per_day integer not null check (reversals_per_day between 0 and 10000),
  -- what the pages of cards show of the shop; '' if it is not set
  shop_name text not null check (char_length(shop_name) <= 200),
  logo_url text not null check (octet_length(logo_url) <= 2048),
  accent_color text not null check (accent_color ~ '^(#[0-9a-f]{6})?$'),
  updated_at timestamptz not null default clock_timestamp()
);

-- Counts of a day in the time zone of the store.
create table gateway.card_counts (
  project_id bigint not null references gateway.projects (id),
  -- 0 where all cards are counted
  campaign_id bigint not null default 0,
  day date not null,
  -- who made the calls; '' where all callers are counted together
  actor text not null default '' check (octet_length(actor) <= 1024),
  store text not null default '' check (char_length(store) <= 128),
  -- OK, REVERSED, or the reason of a refusal
  outcome text not null check (octet_length(outcome) <= 64),
  count bigint not null check (count >= 0),
  primary key (project_id, campaign_id, day, actor, store, outcome)
);

-- Uploaded pictures.
create table gateway.media (
  project_id bigint not null references gateway.projects (id),
  -- the SHA-256 of the bytes, in hexadecimal
  hash text not null check (octet_length(hash) = 64),
  -- the name in the storage, which is never used again
  object text not null check (octet_length(object) <= 128),
  bytes bigint not null check (bytes > 0),
  width integer not null,
  height integer not null,
  -- of the rows with a hash, one at most is STORED
  status text not null default 'WRITING' check (status in ('WRITING', 'STORED', 'REMOVING')),
  -- null while a record names the picture
  unused_since timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, hash, object)
);
