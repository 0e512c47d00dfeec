import type { Migration } from '@mintmark/server-kit'
import { tenant } from './tenant.ts'

/**
 * Projects, API keys, used signatures and stored responses. Only the responses belong to a single project.
 */
export const projects: Migration = {
  id: '0001_projects',
  up: `
    create table gateway.projects (
      id bigint generated always as identity primary key,
      name text not null,
      created_at timestamptz not null default clock_timestamp()
    );

    create table gateway.api_keys (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      api_key text not null unique,
      name text not null,
      -- the wallet of the key's own actions, or ''
      wallet text not null default '',
      scopes text[] not null,
      created_at timestamptz not null default clock_timestamp(),
      revoked_at timestamptz,
      unique (project_id, id)
    );

    -- One row per key, or two while a secret is rotated.
    create table gateway.api_key_secrets (
      id bigint generated always as identity primary key,
      key_id bigint not null references gateway.api_keys (id),
      sealed text not null,
      created_at timestamptz not null default clock_timestamp(),
      retires_at timestamptz
    );
    create index api_key_secrets_key on gateway.api_key_secrets (key_id);

    -- Signatures of writes, for as long as their timestamps are accepted. Partitions are created in advance and dropped whole.
    create table gateway.used_signatures (
      key_id bigint not null,
      signature text not null,
      signed_at timestamptz not null,
      primary key (key_id, signature, signed_at)
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
      primary key (project_id, operation, key)
    );
    create index idempotency_keys_age on gateway.idempotency_keys (created_at);
    ${tenant('idempotency_keys')}
  `,
}
