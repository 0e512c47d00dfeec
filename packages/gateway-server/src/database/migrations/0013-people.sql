-- The people who use the console, their sessions and roles. The columns of the first tables are those that the
-- authentication library needs.

create table gateway.people (
  id text primary key,
  name text not null,
  -- in lower case
  email text not null unique check (email = lower(email) and email like '%_@_%'),
  email_verified boolean not null default false,
  image text,
  has_second_factor boolean not null default false,
  -- Operators see all projects, and resolve what the server cannot decide.
  is_operator boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table gateway.people_sessions (
  id text primary key,
  person_id text not null references gateway.people on delete cascade,
  token text not null unique,
  ip_address text,
  user_agent text,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- A password, or a person at an identity provider.
create table gateway.people_accounts (
  id text primary key,
  person_id text not null references gateway.people on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (provider_id, account_id)
);

-- Challenges that expire, such as that of a passkey.
create table gateway.people_challenges (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create table gateway.people_second_factors (
  id text primary key,
  person_id text not null references gateway.people on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean not null default true,
  failed_verifications integer not null default 0,
  locked_until timestamptz
);

create table gateway.people_passkeys (
  id text primary key,
  person_id text not null references gateway.people on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz default clock_timestamp()
);

create table gateway.people_rate_limits (
  id text not null,
  key text primary key,
  count integer not null,
  last_request bigint not null
);

-- The secret that signs cookies and encrypts second factors. It is sealed by SECRET_KEYS.
create table gateway.people_secret (
  id smallint primary key default 1 check (id = 1),
  sealed text not null
);

create table gateway.members (
  project_id bigint not null references gateway.projects (id),
  id bigint generated always as identity,
  person_id text not null references gateway.people on delete cascade,
  role text not null check (role in ('OWNER', 'MANAGER', 'STAFF', 'AUDITOR')),
  -- the wallet of what the person does in the project, or ''
  wallet text not null default '' check (char_length(wallet) <= 128),
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, person_id)
);

create table gateway.invitations (
  project_id bigint not null references gateway.projects (id),
  id bigint generated always as identity,
  email text not null check (email = lower(email) and char_length(email) <= 320),
  role text not null check (role in ('OWNER', 'MANAGER', 'STAFF', 'AUDITOR')),
  wallet text not null default '' check (char_length(wallet) <= 128),
  -- The link has the token, and this is its SHA-256.
  token_hash text not null unique check (char_length(token_hash) = 64),
  -- key:mk_… or person:…, who has seen the link, or '' for an operator of the server
  inviter text not null default '' check (octet_length(inviter) <= 32768),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  primary key (project_id, email)
);

create table gateway.operator_invitations (
  id bigint generated always as identity,
  email text primary key check (email = lower(email) and char_length(email) <= 320),
  -- The link has the token, and this is its SHA-256.
  token_hash text not null unique check (char_length(token_hash) = 64),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
