import type { Sealer } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount, sign } from 'viem/accounts'
import type { Db } from '../database/tables.ts'
import type { Tenant } from '../database/tenant.ts'

const place = (project: number) => ({ table: 'gateway.minter_keys', project, row: project })

/** Signs mints of projects, each with its own private key, which never leaves this module. */
export interface Minters {
  /** Returns the address of a project's minter. Creates its key if necessary. */
  address(tenant: Tenant): Promise<string>
  /** Signs a 32-byte hash. */
  sign(tenant: Tenant, hash: Hex): Promise<Hex>
}

export function createMinters(sealer: Sealer): Minters {
  return {
    address: (tenant) => ensureMinter(tenant, sealer),
    async sign(tenant, hash) {
      const { sealed } = await tenant
        .selectFrom('gateway.minter_keys')
        .select('sealed')
        .executeTakeFirstOrThrow()
      // The sealed text is a private key.
      const privateKey = sealer.open(sealed, place(tenant.project)) as Hex
      return await sign({ hash, privateKey, to: 'hex' })
    },
  }
}

/** Returns the address of a project's minter in lower case, or '' if it has none. */
export async function findMinter(tenant: Tenant): Promise<string> {
  const row = await tenant.selectFrom('gateway.minter_keys').select('address').executeTakeFirst()
  return row?.address ?? ''
}

/** Returns the address of a project's minter. Creates its key if necessary. */
export async function ensureMinter(tenant: Tenant, sealer: Sealer): Promise<string> {
  const existing = await findMinter(tenant)
  if (existing !== '') return existing
  const privateKey = generatePrivateKey()
  const address = privateKeyToAccount(privateKey).address.toLowerCase()
  const sealed = sealer.seal(privateKey, place(tenant.project))
  await tenant
    .insertInto('gateway.minter_keys')
    .values({ address, sealed })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute()
  // Another process may have created the key first.
  return await findMinter(tenant)
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
