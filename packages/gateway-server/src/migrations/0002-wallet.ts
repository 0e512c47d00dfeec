import type { Migration } from '@mintmark/server-kit'
import { ADDRESS, KEY, limits, NAME, TEXT, URL } from './limits.ts'
import { indexIds, tenant } from './tenant.ts'

/** Profiles, address books, fans, follows and messages. Addresses are in lower case. */
export const wallet: Migration = {
  id: '0002_wallet',
  up: `
    create table gateway.wallet_info (
      project_id bigint not null references gateway.projects (id),
      address text not null,
      name text not null default '',
      email text not null default '',
      description text not null default '',
      background text not null default '',
      profile_photo text not null default '',
      showcase_background text not null default '',
      created_at timestamptz not null default clock_timestamp(),
      updated_at timestamptz not null default clock_timestamp(),
      primary key (project_id, address)
    );
    ${tenant('wallet_info')}
    ${limits('wallet_info', {
      characters: { address: ADDRESS, name: NAME, email: TEXT, description: TEXT },
      bytes: { background: URL, profile_photo: URL, showcase_background: URL },
    })}

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
      constraint address_book_address unique (project_id, owner, address)
    );
    create index address_book_owner on gateway.address_book (project_id, owner, id);
    create index address_book_name on gateway.address_book (project_id, owner, name, id);
    ${indexIds('address_book')}
    ${tenant('address_book')}
    ${limits('address_book', { characters: { owner: ADDRESS, address: ADDRESS, name: NAME, remark: TEXT } })}

    create table gateway.fans (
      id bigint generated always as identity,
      project_id bigint not null references gateway.projects (id),
      fan text not null,
      address text not null,
      created_at timestamptz not null default clock_timestamp(),
      primary key (project_id, id),
      constraint fans_pair unique (project_id, fan, address),
      constraint fans_of_another check (fan <> address)
    );
    create index fans_following on gateway.fans (project_id, fan, id);
    create index fans_followed on gateway.fans (project_id, address, id);
    ${indexIds('fans')}
    ${tenant('fans')}
    ${limits('fans', { characters: { fan: ADDRESS, address: ADDRESS } })}

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
      primary key (project_id, id),
      constraint follows_target unique (project_id, address, nft_address, nft_id)
    );
    create index follows_list on gateway.follows (project_id, address, followed_at, id) where following;
    ${indexIds('follows')}
    ${tenant('follows')}
    ${limits('follows', { characters: { address: ADDRESS, nft_address: ADDRESS, nft_id: KEY } })}

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
      constraint messages_to_another check (sender <> recipient)
    );
    create index messages_group on gateway.messages (project_id, group_id, id) where group_id <> '' and not removed;
    ${indexIds('messages')}
    ${tenant('messages')}
    ${limits('messages', { characters: { sender: ADDRESS, recipient: ADDRESS, group_id: KEY, content: TEXT } })}

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
    create index conversations_list on gateway.conversations (project_id, owner, last_message_id)
      where last_message_id is not null;
    ${tenant('conversations')}

    -- The messages that a wallet sees. Hiding a message deletes its row.
    create table gateway.message_views (
      project_id bigint not null,
      owner text not null,
      -- the message's id
      id bigint not null,
      other text not null,
      -- whether the other wallet sent the message
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
