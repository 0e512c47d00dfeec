import { readEnvironment, type Sealer, type StorageOptions } from '@mintmark/server-kit'
import type pg from 'pg'
import { openGatewayDatabase } from '../database/database.ts'
import type { Db } from '../database/tables.ts'
import { openGatewayStorage } from '../main/server.ts'

/** Runs a command on the configured database as the schema's owner, who sees every project. */
export async function withDatabase(
  name: string,
  work: (db: Db, sealer: Sealer, pool: pg.Pool) => Promise<void>,
  options: StorageOptions = {},
): Promise<void> {
  const storage = await openGatewayStorage(readEnvironment(), options)
  const database = openGatewayDatabase({
    url: storage.databaseUrl,
    max: 1,
    applicationName: `mintmark-gateway-${name}`,
  })
  try {
    await work(database.system, storage.sealer, database.pool)
  } finally {
    await database.close()
  }
}

export const print = (value: unknown) => console.log(JSON.stringify(value, null, 2))
