import { type Database, openDatabase, type PoolOptions } from '@mintmark/server-kit'
import type { Tables } from './tables.ts'

/**
 * Connections to the gateway's schema. Its tables are not part of the public API and can change in any
 * version.
 */
export type GatewayDatabase = Database<Tables>

/** Opens connections to the gateway's schema. Connects when the first query runs. */
export function openGatewayDatabase(options: PoolOptions): GatewayDatabase {
  return openDatabase<Tables>(options)
}
