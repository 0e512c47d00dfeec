import { createHash, randomBytes } from 'node:crypto'
import { isForeignKeyViolation, transaction } from '@mintmark/server-kit'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import { AccountNotFoundError } from './balance.ts'

/** The record of a bearer token. The token is shown once, when it is created, and stored only as a hash. */
export interface ApiKey {
  readonly id: number
  readonly accountId: number
  readonly name: string
  /** The token's first characters. */
  readonly prefix: string
  readonly createdAt: Date
  /** In the future after a rotation. */
  readonly revokedAt?: Date
}

/** A key with its token, which is not stored. */
export interface NewKey {
  readonly key: ApiKey
  readonly token: string
}

/** The key of a token, and its account. */
export interface KeyHolder {
  readonly keyId: number
  readonly account: { readonly id: number; readonly payer: string; readonly batchDelayMs: number }
}

export class KeyNotFoundError extends Error {
  override readonly name = 'KeyNotFoundError'
  constructor(id: number) {
    super(`Key ${id} does not exist or is already revoked`)
  }
}

// 256 random bits need neither a salt nor a slow hash, because they cannot be guessed.
const tokenPattern = /^mm_[A-Za-z0-9_-]{43}$/
const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Creates a key. Only the result contains the token. @throws AccountNotFoundError */
export async function createKey(
  db: Kysely<Tables>,
  { account, name = '' }: { account: number; name?: string },
): Promise<NewKey> {
  const token = `mm_${randomBytes(32).toString('base64url')}`
  try {
    const row = await db
      .insertInto('facilitator.api_keys')
      .values({ account_id: account, name, prefix: token.slice(0, 9), token_hash: hashToken(token) })
      .returning(keyColumns)
      .executeTakeFirstOrThrow()
    return { key: toKey(row), token }
  } catch (error) {
    throw isForeignKeyViolation(error) ? new AccountNotFoundError(account) : error
  }
}

/** Finds a key by its id, also a revoked one. @throws KeyNotFoundError */
export async function getKey(db: Kysely<Tables>, id: number): Promise<ApiKey> {
  const row = await db
    .selectFrom('facilitator.api_keys')
    .select(keyColumns)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new KeyNotFoundError(id)
  return toKey(row)
}

/** Lists the newest keys of an account, newest first. */
export async function listNewestKeys(db: Kysely<Tables>, account: number, limit: number): Promise<ApiKey[]> {
  const query = db.selectFrom('facilitator.api_keys').select(keyColumns).where('account_id', '=', account)
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toKey)
}

/** Lists the keys of one account or of all, oldest first. */
export async function listKeys(db: Kysely<Tables>, account?: number): Promise<ApiKey[]> {
  let query = db.selectFrom('facilitator.api_keys').select(keyColumns).orderBy('id')
  if (account !== undefined) query = query.where('account_id', '=', account)
  return (await query.execute()).map(toKey)
}

/**
 * Revokes a key now, or in `inSeconds` seconds. A key that stops working earlier still does.
 *
 * @throws KeyNotFoundError if the key does not exist or is already revoked.
 */
export async function revokeKey(db: Kysely<Tables>, id: number, inSeconds = 0): Promise<ApiKey> {
  const row = await db
    .updateTable('facilitator.api_keys')
    .set({
      revoked_at: sql<Date>`least(revoked_at, clock_timestamp() + make_interval(secs => ${inSeconds}::float8))`,
    })
    .where('id', '=', id)
    .where((key) =>
      key.or([key('revoked_at', 'is', null), key('revoked_at', '>', sql<Date>`clock_timestamp()`)]),
    )
    .returning(keyColumns)
    .executeTakeFirst()
  if (row === undefined) throw new KeyNotFoundError(id)
  return toKey(row)
}

/** Replaces a key. The old one works for `graceSeconds` more. @throws KeyNotFoundError */
export async function rotateKey(db: Kysely<Tables>, id: number, graceSeconds: number): Promise<NewKey> {
  return transaction(db, async (trx) => {
    const old = await revokeKey(trx, id, graceSeconds)
    return createKey(trx, { account: old.accountId, name: old.name })
  })
}

/** Finds the key of a bearer token by its hash. Undefined if the token is unknown or revoked. */
export async function findKey(db: Kysely<Tables>, token: string): Promise<KeyHolder | undefined> {
  if (!tokenPattern.test(token)) return undefined
  const row = await db
    .selectFrom('facilitator.api_keys as k')
    .innerJoin('facilitator.accounts as a', 'a.id', 'k.account_id')
    .select(['k.id as key_id', 'a.id as account_id', 'a.payer', 'a.batch_delay_ms'])
    .where('k.token_hash', '=', hashToken(token))
    .where((key) =>
      key.or([key('k.revoked_at', 'is', null), key('k.revoked_at', '>', sql<Date>`clock_timestamp()`)]),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { key_id: keyId, account_id: id, payer, batch_delay_ms: batchDelayMs } = row
  return { keyId, account: { id, payer, batchDelayMs } }
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
