-- Profiles, address books, fans, follows and messages. Addresses are in lower case.

create table gateway.wallet_info (
  project_id bigint not null references gateway.projects (id),
  address text not null,
  name text not null default '',
  -- the name in lower case, for searches
  search_name text collate "C" not null default '',
  email text not null default '',
  description text not null default '',
  background text not null default '',
  profile_photo text not null default '',
  showcase_background text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, address),
  constraint wallet_info_limits check (
    char_length(address) <= 128 and char_length(name) <= 200 and char_length(email) <= 4000
    and char_length(description) <= 4000 and octet_length(background) <= 2048
    and octet_length(profile_photo) <= 2048 and octet_length(showcase_background) <= 2048
  )
);
-- projectSearch.find by the beginning of a name
create index wallet_info_name on gateway.wallet_info (project_id, search_name);

create table gateway.address_book (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  owner text not null,
  address text not null,
  name text not null,
  remark text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  constraint address_book_address unique (project_id, owner, address),
  constraint address_book_limits check (
    char_length(owner) <= 128 and char_length(address) <= 128 and char_length(name) <= 200
    and char_length(remark) <= 4000
  )
);
-- addressBook.list, also with a keyword: an owner has few entries
create index address_book_owner on gateway.address_book (project_id, owner, created_at, id);

create table gateway.fans (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  fan text not null,
  address text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, fan, address),
  constraint fans_of_another check (fan <> address),
  constraint fans_limits check (
    char_length(fan) <= 128 and char_length(address) <= 128
  )
);
-- fans.following
create index fans_following on gateway.fans (project_id, fan, created_at, id);
-- fans.list
create index fans_followed on gateway.fans (project_id, address, created_at, id);

-- A row stays after the wallet has stopped following.
create table gateway.follows (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  address text not null,
  nft_address text not null,
  -- '' for the whole collection
  nft_id text not null,
  following boolean not null,
  -- when the present follow began; later than created_at after an interruption
  followed_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (project_id, address, nft_address, nft_id),
  constraint follows_limits check (
    char_length(address) <= 128 and char_length(nft_address) <= 128 and char_length(nft_id) <= 128
  )
);
-- follows.list
create index follows_list on gateway.follows (project_id, address, followed_at, id) where following;

create table gateway.messages (
  id bigint generated always as identity,
  project_id bigint not null references gateway.projects (id),
  sender text not null,
  -- a message has either a recipient or a group; the other is ''
  recipient text not null default '',
  group_id text not null default '',
  content text not null,
  reply_to bigint,
  -- at the time of sending
  sender_name text not null default '',
  sender_photo text not null default '',
  recipient_name text not null default '',
  recipient_photo text not null default '',
  -- removed by the sender for everybody
  removed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (project_id, id),
  foreign key (project_id, reply_to) references gateway.messages (project_id, id),
  constraint messages_one_place check ((recipient = '') <> (group_id = '')),
  constraint messages_to_another check (sender <> recipient),
  constraint messages_limits check (
    char_length(sender) <= 128 and char_length(recipient) <= 128 and char_length(group_id) <= 128
    and char_length(content) <= 4000
  )
);
-- words.groupRecords
create index messages_group
  on gateway.messages (project_id, group_id, created_at, id) where group_id <> '' and not removed;

-- One row for each side of a conversation: its last message and how far it has been read.
create table gateway.conversations (
  project_id bigint not null,
  owner text not null,
  other text not null,
  -- the last message that the owner sees; null for none
  last_message_id bigint,
  -- the owner has read the other wallet's messages up to this id
  read_id bigint not null default 0,
  primary key (project_id, owner, other),
  foreign key (project_id, last_message_id) references gateway.messages (project_id, id)
);

-- The messages that a wallet sees. Hiding a message deletes its row.
create table gateway.message_views (
  project_id bigint not null,
  owner text not null,
  -- the message's id
  id bigint not null,
  other text not null,
  -- whether the other wallet sent the message
  incoming boolean not null,
  -- the creation time of the message
  created_at timestamptz not null,
  primary key (project_id, owner, id),
  foreign key (project_id, id) references gateway.messages (project_id, id),
  foreign key (project_id, owner, other) references gateway.conversations (project_id, owner, other)
);
-- words.list
create index message_views_owner on gateway.message_views (project_id, owner, created_at, id);
-- words.records
create index message_views_conversation on gateway.message_views (project_id, owner, other, created_at, id);
