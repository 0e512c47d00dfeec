import { createSealer } from '../process/seal.ts'
import type { StorageSettings } from '../process/storage.ts'
import { type Check, defineCheck, failIf } from './check.ts'
import { type DatabaseCheck, readRows } from './check-database.ts'

/** 32 random bytes have 30 different ones on average, and practically never fewer than 20. */
const MIN_DISTINCT_BYTES = 16

/** Creates the check of SECRET_KEYS. */
export const createSecretsCheck = (settings: StorageSettings): Check =>
  defineCheck({
    area: 'secrets',
    name: 'SECRET_KEYS',
    read: async () => [listKeys(settings.secretKeys)],
    problems(keys) {
      const weak = keys.find(({ bytes }) => new Set(bytes).size < MIN_DISTINCT_BYTES)
      return [
        failIf(new Set(keys.map(({ id }) => id)).size < keys.length)`
          SECRET_KEYS has an id twice, and only its first key is used
          Give the new key an id of its own, such as k2`,
        failIf(weak !== undefined)`The key "${weak?.id}" of SECRET_KEYS is not random
          Put a key of openssl rand -base64 32 first, restart all processes, and run keys reseal`,
      ]
    },
    ok: (keys) => `SECRET_KEYS has ${keys.length} keys`,
  })

const listKeys = (secretKeys: string) =>
  secretKeys.split(',').map((entry) => {
    const [id = '', text = ''] = entry.trim().split(':')
    return { id, bytes: Buffer.from(text, 'base64') }
  })

/** One of the stored secrets that a key has encrypted, and their number. */
interface SealedFacts {
  readonly id: string
  readonly count: number
  readonly sealed: string
  readonly table: string
  readonly project: number
  readonly row: string
}

/** Creates the check that the stored secrets can be decrypted: their keys are present, and open one of them. */
export const createSealCheck = (secretKeys: string, selectSealed: string): DatabaseCheck =>
  defineCheck({
    area: 'secrets',
    name: 'The stored secrets',
    async read(db) {
      const rows = await readRows<SealedFacts>(
        `select distinct on (id) *, count(*) over (partition by id)::int as count
         from (select *, split_part(sealed, '.', 1) as id from (${selectSealed}) _ where sealed <> '') _ order by id`,
      )(db)
      return rows.map((row) => ({ ...row, problem: findSealProblem(secretKeys, row) }))
    },
    problems: ({ id, count, problem }) => [
      failIf(problem !== undefined)`${count} stored secrets cannot be decrypted. ${problem}
        Add the key ${id} that this database was used with to SECRET_KEYS again. Before it is removed, keys reseal must have run`,
    ],
    ok: ({ id, count }) => `SECRET_KEYS has the key "${id}" of ${count} stored secrets`,
  })

function findSealProblem(secretKeys: string, place: SealedFacts): string | undefined {
  try {
    createSealer(secretKeys).open(place.sealed, place)
    return undefined
  } catch (failure) {
    return failure instanceof Error ? failure.message : String(failure)
  }
}
