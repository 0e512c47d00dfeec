import { randomBytes } from 'node:crypto'
import type { Sealer } from '@mintmark/server-kit'
import type { Db } from '../../database/tables.ts'

const SECRET_BYTES = 48
const PLACE = { table: 'gateway.people_secret', project: 0, row: 1 } as const

/**
 * Returns the secret that signs the cookies of sessions and encrypts second factors. Creates it if necessary;
 * all processes share it.
 */
export async function ensureAuthSecret(db: Db, sealer: Sealer): Promise<string> {
  const sealed = sealer.seal(randomBytes(SECRET_BYTES).toString('base64url'), PLACE)
  await db
    .insertInto('gateway.people_secret')
    .values({ id: 1, sealed })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  const row = await db.selectFrom('gateway.people_secret').select('sealed').executeTakeFirstOrThrow()
  return sealer.open(row.sealed, PLACE)
}

/** Encrypts the secret with the newest of SECRET_KEYS. Returns 1 if it changed, otherwise 0. */
export async function resealAuthSecret(db: Db, sealer: Sealer): Promise<number> {
  const row = await db.selectFrom('gateway.people_secret').select('sealed').executeTakeFirst()
  if (row === undefined || sealer.isCurrent(row.sealed)) return 0
  const sealed = sealer.seal(sealer.open(row.sealed, PLACE), PLACE)
  const result = await db
    .updateTable('gateway.people_secret')
    .set({ sealed })
    .where('sealed', '=', row.sealed)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
