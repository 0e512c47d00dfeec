import type { Migration } from '@mintmark/server-kit'

/** Only the schema's owner uses this table. */
export const SESSION_ENDS_TABLE = 'session_ends'

/** The sessions of the database that operators ended, for the audit log of the server. */
export const sessionEnds: Migration = {
  id: '0127_session_ends',
  up: `
    create table gateway.${SESSION_ENDS_TABLE} (
      id bigint generated always as identity primary key,
      -- The process id and the beginning of the session in the database.
      session_id integer not null,
      started_at timestamptz not null,
      program text not null check (char_length(program) <= 63),
      database_role text not null check (char_length(database_role) <= 63),
      -- How many sessions waited for it.
      blocked_sessions integer not null check (blocked_sessions > 0),
      requested_at timestamptz not null default clock_timestamp(),
      -- null until the session is known to have ended
      ended_at timestamptz
    );
    revoke all on gateway.${SESSION_ENDS_TABLE} from mintmark_gateway;
  `,
}
