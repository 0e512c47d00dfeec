import type { Role } from '@mintmark/admin'
import type { Generated } from 'kysely'
import type { Id, RecordColumns, Time } from './columns.ts'

/**
 * The tables of people that this server reads or writes itself. The others belong to the authentication
 * library.
 */
export interface PeopleTables {
  'gateway.people': {
    id: string
    name: string
    email: string
    has_second_factor: Generated<boolean>
    is_operator: Generated<boolean>
    created_at: Time
    updated_at: Time
  }
  'gateway.people_sessions': {
    id: string
    person_id: string
    updated_at: Time
    expires_at: Date
  }
  'gateway.people_challenges': { id: string; value: string; expires_at: Date }
  'gateway.people_passkeys': { id: string; person_id: string }
  // Milliseconds since the epoch.
  'gateway.people_rate_limits': { last_request: number }
  'gateway.people_secret': { id: Generated<number>; sealed: string }
  'gateway.members': RecordColumns & {
    person_id: string
    role: Role
    wallet: Generated<string>
  }
  'gateway.invitations': RecordColumns & {
    email: string
    role: Role
    wallet: Generated<string>
    token_hash: string
    inviter: Generated<string>
    expires_at: Date
  }
  'gateway.operator_invitations': {
    id: Id
    email: string
    token_hash: string
    created_at: Time
    expires_at: Date
  }
}
