import type { Migration } from '@mintmark/server-kit'

/** Only the schema's owner uses this table. */
export const OPERATOR_INVITATIONS_TABLE = 'operator_invitations'

/** The open invitations of operators, which belong to no project. */
export const operatorInvitations: Migration = {
  id: '0135_operator_invitations',
  up: `
    create table gateway.${OPERATOR_INVITATIONS_TABLE} (
      id bigint generated always as identity primary key,
      email text not null unique check (email = lower(email) and char_length(email) <= 320),
      -- The link has the token, and this is its SHA-256.
      token_hash text not null unique check (char_length(token_hash) = 64),
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null
    );
    revoke all on gateway.${OPERATOR_INVITATIONS_TABLE} from mintmark_gateway;
  `,
}
