import { createHash, randomBytes } from 'node:crypto'
import { isForeignKeyViolation, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../tables.ts'
import { NoSuchAccount } from './no-such-account.ts'

/** A bearer token's record. The token itself is shown once, when it is made, and kept only as a hash. */
export interface ApiKey {
  readonly id: number
  readonly accountId: number
  readonly name: string
  /** The token's first characters. */
  readonly prefix: string
  readonly createdAt: Date
  /** May lie ahead, after a rotation. */
  readonly revokedAt?: Date
}

/** Whom a token speaks for. */
export interface KeyHolder {
  readonly keyId: number
  readonly account: { readonly id: number; readonly payer: string }
}

export class NoSuchKey extends Error {
  override readonly name = 'NoSuchKey'
  constructor(id: number) {
    super(`There is no key ${id} that could be revoked.`)
  }
}

// 256 random bits need no salt and no slow hash: nobody can try them all.
const tokenPattern = /^mm_[A-Za-z0-9_-]{43}$/
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Makes a key; the token is in the answer and nowhere else. @throws NoSuchAccount */
export async function createKey(
  db: Kysely<Tables>,
  { account, name = '' }: { account: number; name?: string },
): Promise<{ key: ApiKey; token: string }> {
  const token = `mm_${randomBytes(32).toString('base64url')}`
  try {
    const row = await db
      .insertInto('facilitator.api_keys')
      .values({ account_id: account, name, prefix: token.slice(0, 9), token_hash: hashOf(token) })
      .returning(keyColumns)
      .executeTakeFirstOrThrow()
    return { key: toKey(row), token }
  } catch (error) {
    throw isForeignKeyViolation(error) ? new NoSuchAccount(account) : error
  }
}

/** Keys of one account, or of all, oldest first. */
export async function listKeys(db: Kysely<Tables>, account?: number): Promise<ApiKey[]> {
  let query = db.selectFrom('facilitator.api_keys').select(keyColumns).orderBy('id')
  if (account !== undefined) query = query.where('account_id', '=', account)
  return (await query.execute()).map(toKey)
}

/** Ends a key now, or in some seconds. @throws NoSuchKey where there is none, or none that still works. */
export async function revokeKey(db: Kysely<Tables>, id: number, inSeconds = 0): Promise<ApiKey> {
  const row = await db
    .updateTable('facilitator.api_keys')
    .set({ revoked_at: sql<Date>`clock_timestamp() + make_interval(secs => ${inSeconds}::float8)` })
    .where('id', '=', id)
    .where((key) =>
      key.or([key('revoked_at', 'is', null), key('revoked_at', '>', sql<Date>`clock_timestamp()`)]),
    )
    .returning(keyColumns)
    .executeTakeFirst()
  if (row === undefined) throw new NoSuchKey(id)
  return toKey(row)
}

/** A new key in the place of another, which works for `graceSeconds` more. @throws NoSuchKey */
export async function rotateKey(
  db: Kysely<Tables>,
  id: number,
  graceSeconds: number,
): Promise<{ key: ApiKey; token: string }> {
  return transaction(db, async (trx) => {
    const old = await revokeKey(trx, id, graceSeconds)
    return createKey(trx, { account: old.accountId, name: old.name })
  })
}

/** Whom a bearer token speaks for; undefined where it is unknown or revoked. One read by the token's hash. */
export async function findKey(db: Kysely<Tables>, token: string): Promise<KeyHolder | undefined> {
  if (!tokenPattern.test(token)) return undefined
  const row = await db
    .selectFrom('facilitator.api_keys as k')
    .innerJoin('facilitator.accounts as a', 'a.id', 'k.account_id')
    .select(['k.id as key_id', 'a.id as account_id', 'a.payer'])
    .where('k.token_hash', '=', hashOf(token))
    .where((key) =>
      key.or([key('k.revoked_at', 'is', null), key('k.revoked_at', '>', sql<Date>`clock_timestamp()`)]),
    )
    .executeTakeFirst()
  return row && { keyId: row.key_id, account: { id: row.account_id, payer: row.payer } }
}

const keyColumns = ['id', 'account_id', 'name', 'prefix', 'created_at', 'revoked_at'] as const

function toKey(row: {
  id: number
  account_id: number
  name: string
  prefix: string
  created_at: Date
  revoked_at: Date | null
}): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at,
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
  }
}
