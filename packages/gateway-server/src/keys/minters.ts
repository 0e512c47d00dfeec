import type { Sealer } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

const place = (project: number) => ({ table: 'gateway.minter_keys', project, row: project })

/** Signs mints of projects, each with its own private key, which never leaves this module. */
export interface Minters {
  /** Returns the address of a project's minter. Creates its key if necessary. */
  address(db: Db, project: number): Promise<string>
  /** Signs a 32-byte hash. */
  sign(db: Db, project: number, hash: Hex): Promise<Hex>
}

export function createMinters(sealer: Sealer): Minters {
  return {
    address: (db, project) => ensureMinter(db, sealer, project),
    async sign(db, project, hash) {
      const { sealed } = await db
        .selectFrom('gateway.minter_keys')
        .select('sealed')
        .where('project_id', '=', project)
        .executeTakeFirstOrThrow()
      // The sealed text is a private key.
      const privateKey = sealer.open(sealed, place(project)) as Hex
      return await sign({ hash, privateKey, to: 'hex' })
    },
  }
}

/** Returns the address of a project's minter in lower case, or '' if it has none. */
export async function findMinter(db: Db, project: number): Promise<string> {
  const row = await db
    .selectFrom('gateway.minter_keys')
    .select('address')
    .where('project_id', '=', project)
    .executeTakeFirst()
  return row?.address ?? ''
}

/** Returns the address of a project's minter. Creates its key if necessary. */
export async function ensureMinter(db: Db, sealer: Sealer, project: number): Promise<string> {
  const existing = await findMinter(db, project)
  if (existing !== '') return existing
  const privateKey = generatePrivateKey()
  const address = privateKeyToAccount(privateKey).address.toLowerCase()
  const sealed = sealer.seal(privateKey, place(project))
  await db
    .insertInto('gateway.minter_keys')
    .values({ project_id: project, address, sealed })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute()
  // Another process may have created the key first.
  return await findMinter(db, project)
}

/** Encrypts every minter's key with the newest of SECRET_KEYS. Returns the number of keys that changed. */
export async function resealMinters(db: Db, sealer: Sealer): Promise<number> {
  const rows = await db
    .selectFrom('gateway.minter_keys')
    .select(['project_id', 'sealed'])
    .orderBy('project_id')
    .execute()
  const old = rows.filter((row) => !sealer.isCurrent(row.sealed))
  for (const row of old) {
    const sealed = sealer.seal(sealer.open(row.sealed, place(row.project_id)), place(row.project_id))
    await sql`
      update gateway.minter_keys set sealed = ${sealed}
      where project_id = ${row.project_id} and sealed = ${row.sealed}`.execute(db)
  }
  return old.length
}
