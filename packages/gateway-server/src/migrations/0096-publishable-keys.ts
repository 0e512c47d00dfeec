import type { Migration } from '@mintmark/server-kit'

/**
 * Keys that may be in a page. They have a table of their own, so that no look-up of a signed call finds one
 * and none of them has a secret. The index finds the keys of an origin for CORS preflights, which contain no
 * key.
 */
export const publishableKeys: Migration = {
  id: '0096_publishable_keys',
  up: `
    create table gateway.publishable_keys (
      id bigint generated always as identity primary key,
      project_id bigint not null references gateway.projects (id),
      publishable_key text not null unique check (publishable_key like 'pk\\_%'),
      name text not null,
      scopes text[] not null check (cardinality(scopes) > 0 and array_to_string(scopes, ',') !~ '[*]|:write'),
      -- exactly as browsers send them
      origins text[] not null check (cardinality(origins) between 1 and 100 and not ('null' = any (origins))),
      created_at timestamptz not null default clock_timestamp(),
      revoked_at timestamptz,
      unique (project_id, id)
    );
    create index publishable_keys_origins on gateway.publishable_keys using gin (origins) where revoked_at is null;
    revoke insert, update, delete on gateway.publishable_keys from mintmark_gateway;
  `,
}
