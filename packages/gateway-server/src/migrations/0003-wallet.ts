import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/** Address books, fans, follows and messages. Addresses are in lower case. */
export const wallet: Migration = {
  id: '0003_wallet',
  up: `
    create table gateway.address_book (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      owner text not null,
      address text not null,
      name text not null,
      remark text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint address_book_address unique (project_id, owner, address)
    );
    create index address_book_owner on gateway.address_book (project_id, owner, id);
    create index address_book_name on gateway.address_book (project_id, owner, name, id);
    ${tenant('address_book')}

    create table gateway.fans (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      fan text not null,
      address text not null,
      created_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint fans_pair unique (project_id, fan, address),
      constraint fans_of_another check (fan <> address)
    );
    create index fans_following on gateway.fans (project_id, fan, id);
    create index fans_followed on gateway.fans (project_id, address, id);
    ${tenant('fans')}

    -- a row stays when the wallet takes it back, and says so
    create table gateway.follows (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      address text not null,
      nft_address text not null,
      -- '' is the collection
      nft_id text not null,
      following boolean not null,
      -- when it began; later than created_at where it was taken back in between
      followed_at timestamptz not null default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      constraint follows_target unique (project_id, address, nft_address, nft_id)
    );
    create index follows_list on gateway.follows (project_id, address, followed_at, id) where following;
    ${tenant('follows')}

    create table gateway.messages (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      sender text not null,
      -- one of the two is '': to a wallet, or left on a group
      recipient text not null default '',
      group_id text not null default '',
      content text not null,
      reply_to bigint,
      -- as they were when it was sent
      sender_name text not null default '',
      sender_photo text not null default '',
      recipient_name text not null default '',
      recipient_photo text not null default '',
      -- by its sender, for everybody
      removed boolean not null default false,
      created_at timestamptz not null default clock_timestamp(),
      unique (project_id, id),
      foreign key (project_id, reply_to) references gateway.messages (project_id, id),
      constraint messages_one_place check ((recipient = '') <> (group_id = '')),
      constraint messages_to_another check (sender <> recipient)
    );
    create index messages_group on gateway.messages (project_id, group_id, id) where group_id <> '' and not removed;
    ${tenant('messages')}

    -- one row for each of the two sides of a conversation: its last message and how far it has read
    create table gateway.conversations (
      project_id bigint not null,
      owner text not null,
      other text not null,
      -- of those that the owner sees; null when it sees none
      last_message_id bigint,
      -- the cursor: the owner has read what the other sent up to this message
      read_id bigint not null default 0,
      primary key (project_id, owner, other),
      foreign key (project_id, last_message_id) references gateway.messages (project_id, id)
    );
    create index conversations_list on gateway.conversations (project_id, owner, last_message_id)
      where last_message_id is not null;
    ${tenant('conversations')}

    -- which wallet sees which message; a wallet that hides one loses its row
    create table gateway.message_views (
      project_id bigint not null,
      owner text not null,
      -- the message's
      id bigint not null,
      other text not null,
      -- from the other, and not from the owner
      incoming boolean not null,
      primary key (project_id, owner, id),
      foreign key (project_id, id) references gateway.messages (project_id, id),
      foreign key (project_id, owner, other) references gateway.conversations (project_id, owner, other)
    );
    create index message_views_conversation on gateway.message_views (project_id, owner, other, id);
    create index message_views_incoming on gateway.message_views (project_id, owner, other, id) where incoming;
    ${tenant('message_views')}
  `,
}
