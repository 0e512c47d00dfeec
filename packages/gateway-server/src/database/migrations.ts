import { readMigrations } from '@mintmark/server-kit'

export const SCHEMA = 'gateway'
/** The role of the servers' queries. It owns nothing, so that row-level security applies to it. */
export const ROLE = 'mintmark_gateway'
/**
 * The tables that only the schema's owner uses: people, what they sign in with, and database sessions that
 * operators ended.
 */
export const OWNER_TABLES = [
  'people',
  'people_sessions',
  'people_accounts',
  'people_challenges',
  'people_second_factors',
  'people_passkeys',
  'people_rate_limits',
  'people_secret',
  'members',
  'invitations',
  'operator_invitations',
  'session_ends',
]

/**
 * The migrations of the gateway's schema, in order. A released migration never changes; add another one
 * instead.
 */
export const migrations = readMigrations(new URL('./migrations/', import.meta.url), [
  '0001-projects',
  '0002-wallet',
  '0003-contracts',
  '0004-inventory',
  '0005-cards',
  '0006-minting',
  '0007-market',
  '0008-orders',
  '0009-indexer',
  '0010-statistics',
  '0011-events',
  '0012-audit',
  '0013-people',
  '0014-access',
])
