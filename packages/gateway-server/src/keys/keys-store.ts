import { randomBytes } from 'node:crypto'
import { ConfigurationError, compileRead, type Sealer, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'

type SystemDb = Kysely<Tables>

/** How many keys of a project a list has at most: the newest. */
export const MAX_LISTED_KEYS = 1000

/** A key that is not revoked. */
export interface LiveKey {
  id: number
  project: number
  /** The key's name. */
  name: string
  wallet: string
  scopes: ReadonlySet<string>
  /** The store in which the key verifies cards. */
  storeId: number | undefined
  /** The cell to which the key's project has moved. */
  cell: string | undefined
  secrets: readonly string[]
}

const place = (project: number, secretId: number) => ({
  table: 'gateway.api_key_secrets',
  project,
  row: secretId,
})

export type KeyRow = Selectable<Tables['gateway.api_keys']>

/** The scope that grants all scopes except those of the admin interface. */
export const ALL_SCOPES = '*'

/** A short read, so that slow lists on every connection of the pool do not delay authentication. */
const readLiveSecrets = compileRead((db: SystemDb, { apiKey }: { apiKey: string }) =>
  db
    .selectFrom('gateway.api_keys as key')
    .innerJoin('gateway.api_key_secrets as secret', (join) =>
      join.onRef('secret.project_id', '=', 'key.project_id').onRef('secret.key_id', '=', 'key.id'),
    )
    .innerJoin('gateway.projects as project', 'project.id', 'key.project_id')
    .select([
      'key.id',
      'key.project_id',
      'key.name',
      'key.wallet',
      'key.scopes',
      'key.store_id',
      'project.state',
      'project.cell',
      'secret.id as secret_id',
      'secret.sealed',
    ])
    .where('key.api_key', '=', apiKey)
    .where('key.revoked_at', 'is', null)
    .where(sql<boolean>`(secret.retires_at is null or secret.retires_at > clock_timestamp())`),
)

/** Finds a key with its valid secrets. Returns undefined when it does not exist or is revoked. */
export async function findLiveKey(
  db: SystemDb,
  sealer: Sealer,
  apiKey: string,
): Promise<LiveKey | undefined> {
  const rows = await readLiveSecrets(db, { apiKey })
  const first = rows[0]
  if (first === undefined) return undefined
  return {
    id: first.id,
    project: first.project_id,
    name: first.name,
    wallet: first.wallet,
    scopes: new Set(first.scopes),
    storeId: first.store_id ?? undefined,
    cell: first.state === 'MOVED' ? first.cell : undefined,
    secrets: rows.map((row) => sealer.open(row.sealed, place(row.project_id, row.secret_id))),
  }
}

async function addSecret(db: SystemDb, sealer: Sealer, project: number, keyId: number): Promise<string> {
  const secret = `sk_${randomBytes(24).toString('base64url')}`
  const row = await db
    .insertInto('gateway.api_key_secrets')
    .values({ project_id: project, key_id: keyId, sealed: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  // The sealed text is bound to the row's id.
  const sealed = sealer.seal(secret, place(project, row.id))
  await db
    .updateTable('gateway.api_key_secrets')
    .set({ sealed })
    .where('project_id', '=', project)
    .where('key_id', '=', keyId)
    .where('id', '=', row.id)
    .execute()
  return secret
}

export interface NewKey {
  /** The project's name. The project is created if it does not exist. */
  project: string
  name: string
  wallet?: string | undefined
  scopes?: readonly string[] | undefined
  storeId?: number | undefined
}

/**
 * Returns the id of the project with a name, and creates the project if it does not exist. Call it within a
 * transaction.
 */
export async function ensureProject(trx: SystemDb, name: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`gateway.projects/${name}`}, 0))`.execute(trx)
  const existing = await trx
    .selectFrom('gateway.projects')
    .select(['id', 'state', 'cell'])
    .where('name', '=', name)
    .executeTakeFirst()
  if (existing?.state === 'MOVED')
    throw new ConfigurationError(`The project ${name} has moved to the cell ${existing.cell}`)
  if (existing !== undefined) return existing.id
  const { id } = await trx
    .insertInto('gateway.projects')
    .values({ name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Creates a key and returns its secret, which cannot be read again. */
export async function createKey(
  db: SystemDb,
  sealer: Sealer,
  { project, ...key }: NewKey,
): Promise<{ projectId: number; apiKey: string; secret: string }> {
  return await transaction(db, async (trx) => {
    const projectId = await ensureProject(trx, project)
    const { row, secret } = await addKey(trx, sealer, projectId, key)
    return { projectId, apiKey: row.api_key, secret }
  })
}

/** Adds a key to a project that exists. Call it within a transaction. */
export async function addKey(
  trx: SystemDb,
  sealer: Sealer,
  projectId: number,
  { name, wallet = '', scopes = [ALL_SCOPES], storeId }: Omit<NewKey, 'project'>,
): Promise<{ row: KeyRow; secret: string }> {
  const row = await trx
    .insertInto('gateway.api_keys')
    .values({
      project_id: projectId,
      api_key: `mk_${randomBytes(16).toString('base64url')}`,
      name,
      wallet: wallet.toLowerCase(),
      scopes: [...scopes],
      store_id: storeId ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, secret: await addSecret(trx, sealer, projectId, row.id) }
}

const readProjects = compileRead((db: SystemDb, { id }: { id: number }) =>
  db.selectFrom('gateway.projects').select('id').where('id', '=', id).where('state', '<>', 'MOVED'),
)

/** Whether this cell has a project. */
export async function hasProject(db: SystemDb, id: number): Promise<boolean> {
  return (await readProjects(db, { id })).length > 0
}

/** Most active keys of each kind that people and keys can create in a project. */
export const MAX_ACTIVE_KEYS = 100

/**
 * Locks a project's row until the end of the transaction, so that concurrent calls do not exceed a limit.
 * Rows that refer to it can be added.
 */
export async function lockProject(trx: SystemDb, projectId: number): Promise<void> {
  await trx.selectFrom('gateway.projects').select('id').where('id', '=', projectId).forNoKeyUpdate().execute()
}

/** Whether a project may have another key of a kind. Locks the project until the end of the transaction. */
export async function hasRoomForKey(
  trx: SystemDb,
  table: 'gateway.api_keys' | 'gateway.publishable_keys',
  projectId: number,
): Promise<boolean> {
  await lockProject(trx, projectId)
  const { active } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('active'))
    .where('project_id', '=', projectId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return active < MAX_ACTIVE_KEYS
}

/** Lists the newest keys of a project, newest first. */
export async function listProjectKeys(db: SystemDb, projectId: number): Promise<KeyRow[]> {
  return await db
    .selectFrom('gateway.api_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_KEYS)
    .execute()
}

/** Finds a key of a project that is not revoked. */
export async function findActiveKey(
  db: SystemDb,
  projectId: number,
  apiKey: string,
): Promise<KeyRow | undefined> {
  return await db
    .selectFrom('gateway.api_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('api_key', '=', apiKey)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

/** Finds the project of a key. */
export async function findProject(db: SystemDb, id: number): Promise<{ name: string } | undefined> {
  return await db.selectFrom('gateway.projects').select('name').where('id', '=', id).executeTakeFirst()
}

export async function listKeys(db: SystemDb) {
  return await db
    .selectFrom('gateway.api_keys as key')
    .innerJoin('gateway.projects as project', 'project.id', 'key.project_id')
    .select([
      'key.api_key',
      'key.name',
      'project.name as project',
      'key.scopes',
      'key.wallet',
      'key.created_at',
      'key.revoked_at',
    ])
    .orderBy('key.id')
    .execute()
}

/** Which key to change: one of any project, or of one project only. */
export interface KeyTarget {
  readonly apiKey: string
  readonly project?: number | undefined
}

/**
 * Adds a second secret. The previous one stays valid for `graceHours`. Returns undefined if no active key has
 * the name.
 */
export async function rotateActiveKey(
  db: SystemDb,
  sealer: Sealer,
  { apiKey, project }: KeyTarget,
  graceHours: number,
): Promise<string | undefined> {
  return await transaction(db, async (trx) => {
    const key = await trx
      .selectFrom('gateway.api_keys')
      .select(['id', 'project_id'])
      .where('api_key', '=', apiKey)
      .where('revoked_at', 'is', null)
      .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
      .forUpdate()
      .executeTakeFirst()
    if (key === undefined) return undefined
    await sql`
      update gateway.api_key_secrets
      set retires_at = least(coalesce(retires_at, 'infinity'), clock_timestamp() + make_interval(secs => ${graceHours * 3600}))
      where project_id = ${key.project_id} and key_id = ${key.id}`.execute(trx)
    // At most two valid secrets: of those that expire, only the newest stays.
    await sql`
      delete from gateway.api_key_secrets
      where project_id = ${key.project_id} and key_id = ${key.id}
        and id < (
          select max(id) from gateway.api_key_secrets
          where project_id = ${key.project_id} and key_id = ${key.id})`.execute(trx)
    return await addSecret(trx, sealer, key.project_id, key.id)
  })
}

/**
 * Revokes a key. Servers that have cached it stop accepting it within a second. Returns false if no active
 * key has the name.
 */
export async function revokeActiveKey(db: SystemDb, { apiKey, project }: KeyTarget): Promise<boolean> {
  const result = await db
    .updateTable('gateway.api_keys')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('api_key', '=', apiKey)
    .where('revoked_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Adds a second secret like `rotateActiveKey`. @throws ConfigurationError if no active key has the name. */
export async function rotateKey(
  db: SystemDb,
  sealer: Sealer,
  apiKey: string,
  graceHours: number,
): Promise<string> {
  const secret = await rotateActiveKey(db, sealer, { apiKey }, graceHours)
  if (secret === undefined) throw new ConfigurationError(`No active key is named ${apiKey}`)
  return secret
}

/** Revokes a key like `revokeActiveKey`. @throws ConfigurationError if no active key has the name. */
export async function revokeKey(db: SystemDb, apiKey: string): Promise<void> {
  if (!(await revokeActiveKey(db, { apiKey })))
    throw new ConfigurationError(`No active key is named ${apiKey}`)
}

/** Encrypts every secret with the newest of SECRET_KEYS. Returns the number of secrets that changed. */
export async function resealKeys(db: SystemDb, sealer: Sealer): Promise<number> {
  return await transaction(db, async (trx) => {
    const rows = await trx
      .selectFrom('gateway.api_key_secrets')
      .select(['project_id', 'key_id', 'id', 'sealed'])
      .orderBy('id')
      .forUpdate()
      .execute()
    const old = rows.filter((row) => !sealer.isCurrent(row.sealed))
    for (const row of old) {
      const secret = sealer.open(row.sealed, place(row.project_id, row.id))
      const sealed = sealer.seal(secret, place(row.project_id, row.id))
      await trx
        .updateTable('gateway.api_key_secrets')
        .set({ sealed })
        .where('project_id', '=', row.project_id)
        .where('key_id', '=', row.key_id)
        .where('id', '=', row.id)
        .execute()
    }
    return old.length
  })
}

/** Decrypts one stored secret, so that wrong SECRET_KEYS fail at start and not with the first call. */
export async function checkSecretKeys(db: SystemDb, sealer: Sealer): Promise<void> {
  const row = await db
    .selectFrom('gateway.api_key_secrets')
    .select(['id', 'sealed', 'project_id'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row) sealer.open(row.sealed, place(row.project_id, row.id))
}
