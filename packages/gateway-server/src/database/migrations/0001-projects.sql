-- Projects, their keys, used signatures and stored responses.

-- Both extensions are trusted: the owner of the database can create them. Existing ones may be in any schema.
create extension if not exists pg_trgm with schema gateway;
create extension if not exists btree_gin with schema gateway;

create table gateway.projects (
  id bigint generated always as identity primary key,
  name text not null,
  -- A frozen project refuses writes, because it is being copied to another cell. A moved one has only its keys here.
  state text not null default 'ACTIVE' check (state in ('ACTIVE', 'FROZEN', 'MOVED')),
  -- The cell of a project that is not active.
  cell text not null default '' check (char_length(cell) <= 100 and (cell = '') = (state = 'ACTIVE')),
  created_at timestamptz not null default clock_timestamp()
);

create table gateway.api_keys (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  -- unguessable: authentication looks it up without the project
  api_key text not null unique,
  name text not null,
  -- the wallet of the key's own actions, or ''
  wallet text not null default '',
  scopes text[] not null,
  -- the store of a till; null for any store
  store_id bigint,
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  primary key (project_id, id),
  constraint api_keys_limits check (
    octet_length(api_key) <= 32768 and octet_length(name) <= 32768 and octet_length(wallet) <= 32768
    and octet_length(scopes::text) <= 32768
  )
);

-- One row per key, or two while a secret is rotated.
create table gateway.api_key_secrets (
  id bigint generated always as identity,
  project_id bigint not null,
  key_id bigint not null,
  sealed text not null check (octet_length(sealed) <= 32768),
  created_at timestamptz not null default clock_timestamp(),
  retires_at timestamptz,
  primary key (project_id, key_id, id),
  foreign key (project_id, key_id) references gateway.api_keys (project_id, id)
);

create table gateway.publishable_keys (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  -- unguessable: calls are looked up by it without the project
  publishable_key text not null unique check (publishable_key like 'pk\_%'),
  name text not null check (octet_length(name) <= 32768),
  scopes text[] not null check (cardinality(scopes) > 0 and array_to_string(scopes, ',') !~ '[*]|:write'),
  -- exactly as browsers send them
  origins text[] not null check (cardinality(origins) between 1 and 100 and not ('null' = any (origins))),
  created_at timestamptz not null default clock_timestamp(),
  revoked_at timestamptz,
  primary key (project_id, id)
);
-- CORS preflights, which contain no key: finds the keys of an origin
create index publishable_keys_origins on gateway.publishable_keys using gin (origins) where revoked_at is null;

-- Signatures of writes, for as long as their timestamps are accepted. Partitions are created in advance and dropped whole.
create table gateway.used_signatures (
  project_id bigint not null,
  key_id bigint not null,
  -- The SHA-256 of the signature, which is half as long as its usual text and indexed in a random order.
  digest bytea not null check (octet_length(digest) = 32),
  signed_at timestamptz not null,
  primary key (project_id, key_id, digest, signed_at)
) partition by range (signed_at);
create table gateway.used_signatures_default partition of gateway.used_signatures default;

create table gateway.idempotency_keys (
  project_id bigint not null references gateway.projects (id),
  operation text not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, operation, key),
  constraint idempotency_keys_limits check (octet_length(body) <= 16777216)
) with (
  -- The rows of an hour are deleted at once, a twenty-fourth of the table.
  autovacuum_vacuum_scale_factor = 0.02
);
