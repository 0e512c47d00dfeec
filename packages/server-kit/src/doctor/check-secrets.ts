import { createSealer, type Sealer } from '../process/seal.ts'
import type { StorageSettings } from '../process/storage.ts'
import type { DatabaseProbe, DatabaseReader } from './database-reader.ts'
import { type Check, type Outcome, reportError, reportOk } from './finding.ts'

/** A place where secrets are stored encrypted. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string
  readonly column: string
}

/** Creates the check of SECRET_KEYS. `settings` is undefined if they are invalid. */
export function createSecretsCheck(settings: StorageSettings | undefined): Check {
  return {
    area: 'secrets',
    name: 'SECRET_KEYS',
    run: async () => (settings === undefined ? [] : checkSecretKeys(settings)),
  }
}

function checkSecretKeys({ secretKeys }: StorageSettings): Outcome[] {
  const keys = secretKeys.split(',').map((entry) => {
    const [id = '', text = ''] = entry.trim().split(':')
    return { id, bytes: Buffer.from(text, 'base64') }
  })
  const outcomes: Outcome[] = []
  if (new Set(keys.map(({ id }) => id)).size < keys.length)
    outcomes.push(
      reportError(
        'SECRET_KEYS has an id twice, and only its first key is used',
        'Give the new key an id of its own, such as k2',
      ),
    )
  const weak = keys.filter(({ bytes }) => new Set(bytes).size < MIN_DISTINCT_BYTES)
  if (weak.length > 0)
    outcomes.push(
      reportError(
        `The key ${JSON.stringify(weak[0]?.id)} of SECRET_KEYS is not random`,
        'Put a key of openssl rand -base64 32 first, restart all processes, and run keys reseal',
      ),
    )
  return outcomes.length > 0 ? outcomes : [reportOk(`SECRET_KEYS has ${keys.length} keys`)]
}

/** 32 random bytes have 30 different ones on average, and practically never fewer than 20. */
const MIN_DISTINCT_BYTES = 16

/**
 * Creates the probe that the stored secrets can be decrypted: their keys are present, and `open` decrypts one
 * of them.
 */
export function createSealProbe(
  secretKeys: string,
  columns: readonly SealedColumn[],
  open: (db: DatabaseReader, sealer: Sealer) => Promise<void>,
): DatabaseProbe {
  return async (db) => {
    const outcomes = await checkStoredSecrets(db, secretKeys, columns, open)
    return outcomes.map((outcome) => ({ ...outcome, area: 'secrets' }))
  }
}

async function checkStoredSecrets(
  db: DatabaseReader,
  secretKeys: string,
  columns: readonly SealedColumn[],
  open: (db: DatabaseReader, sealer: Sealer) => Promise<void>,
): Promise<Outcome[]> {
  const used = new Map<string, number>()
  for (const { table, column } of columns) {
    const rows = await db.query<{ id: string; count: number }>(
      `select split_part(${column}, '.', 1) as id, count(*)::int as count from ${table} where ${column} <> '' group by 1`,
    )
    for (const { id, count } of rows) used.set(id, (used.get(id) ?? 0) + count)
  }
  const present = secretKeys.split(',').map((entry) => entry.trim().split(':')[0])
  const missing = [...used].filter(([id]) => !present.includes(id))
  if (missing.length > 0)
    return missing.map(([id, count]) =>
      reportError(
        `${count} stored secrets are encrypted with the key ${JSON.stringify(id)}, which SECRET_KEYS lacks`,
        `Add the key ${id} to SECRET_KEYS again. Before it is removed, keys reseal must have run`,
      ),
    )
  try {
    await open(db, createSealer(secretKeys))
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure)
    return [reportError(reason, 'Set SECRET_KEYS to the keys that this database was used with')]
  }
  const total = [...used.values()].reduce((sum, count) => sum + count, 0)
  return [reportOk(`SECRET_KEYS has the keys of all ${total} stored secrets`)]
}
