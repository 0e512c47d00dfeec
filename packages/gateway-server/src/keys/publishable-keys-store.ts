import { randomBytes } from 'node:crypto'
import { ConfigurationError, compileRead, transaction } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { ensureProject } from './keys-store.ts'

type SystemDb = Kysely<Tables>

/** How many publishable keys of a project a list has at most: the newest. */
export const MAX_LISTED_PUBLISHABLE_KEYS = 200

/** A publishable key that is not revoked. */
export interface PublishableKey {
  id: number
  project: number
  /** The key's name. */
  name: string
  scopes: ReadonlySet<string>
  /** The origins of the pages that may use the key, as browsers write them. */
  origins: ReadonlySet<string>
  /** The cell to which the key's project has moved. */
  cell: string | undefined
}

const KEY_FORMAT = /^pk_[\w-]{22}$/

/** Whether a text has the format of a publishable key. No key of another kind has it. */
export function isPublishableKey(text: string): boolean {
  return KEY_FORMAT.test(text)
}

export interface NewPublishableKey {
  /** The project's name. The project is created if it does not exist. */
  project: string
  name: string
  scopes: readonly string[]
  origins: readonly string[]
}

/** Creates a publishable key. It is no secret. */
export async function createPublishableKey(
  db: SystemDb,
  { project, ...key }: NewPublishableKey,
): Promise<{ projectId: number; publishableKey: string }> {
  return await transaction(db, async (trx) => {
    const projectId = await ensureProject(trx, project)
    const { publishable_key: publishableKey } = await addPublishableKey(trx, projectId, key)
    return { projectId, publishableKey }
  })
}

export type PublishableKeyRow = Selectable<Tables['gateway.publishable_keys']>

/** Adds a publishable key to a project that exists. */
export async function addPublishableKey(
  db: SystemDb,
  projectId: number,
  { name, scopes, origins }: Omit<NewPublishableKey, 'project'>,
): Promise<PublishableKeyRow> {
  return await db
    .insertInto('gateway.publishable_keys')
    .values({
      project_id: projectId,
      publishable_key: `pk_${randomBytes(16).toString('base64url')}`,
      name,
      scopes: [...scopes],
      origins: [...origins],
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Lists the newest publishable keys of a project, newest first. */
export async function listProjectPublishableKeys(
  db: SystemDb,
  projectId: number,
): Promise<PublishableKeyRow[]> {
  return await db
    .selectFrom('gateway.publishable_keys')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_PUBLISHABLE_KEYS)
    .execute()
}

const readLiveKey = compileRead((db: SystemDb, { publishableKey }: { publishableKey: string }) =>
  db
    .selectFrom('gateway.publishable_keys as key')
    .innerJoin('gateway.projects as project', 'project.id', 'key.project_id')
    .select(['key.id', 'project_id', 'key.name', 'scopes', 'origins', 'state', 'cell'])
    .where('publishable_key', '=', publishableKey)
    .where('revoked_at', 'is', null),
)

/** Finds a publishable key. Returns undefined when it does not exist or is revoked. */
export async function findPublishableKey(
  db: SystemDb,
  publishableKey: string,
): Promise<PublishableKey | undefined> {
  const [row] = await readLiveKey(db, { publishableKey })
  if (row === undefined) return undefined
  const { id, name, project_id: project } = row
  const cell = row.state === 'MOVED' ? row.cell : undefined
  return { id, name, project, cell, scopes: new Set(row.scopes), origins: new Set(row.origins) }
}

const readKeyOfOrigin = compileRead((db: SystemDb, { origin }: { origin: string }) =>
  db
    .selectFrom('gateway.publishable_keys')
    .select('id')
    .where(sql<boolean>`origins @> array[${origin}]::text[]`)
    .where('revoked_at', 'is', null)
    .limit(sql.lit(1)),
)

/** Whether a publishable key of any project allows an origin. */
export async function isAllowedOrigin(db: SystemDb, origin: string): Promise<boolean> {
  return (await readKeyOfOrigin(db, { origin })).length > 0
}

export async function listPublishableKeys(db: SystemDb) {
  return await db
    .selectFrom('gateway.publishable_keys as key')
    .innerJoin('gateway.projects as project', 'project.id', 'key.project_id')
    .select([
      'key.publishable_key',
      'key.name',
      'project.name as project',
      'key.scopes',
      'key.origins',
      'key.created_at',
      'key.revoked_at',
    ])
    .orderBy('key.id')
    .execute()
}

/** Which publishable key to revoke: one of any project, or of one project only. */
interface PublishableKeyTarget {
  readonly publishableKey: string
  readonly project?: number | undefined
}

/**
 * Revokes a publishable key. Servers that have cached it stop accepting it within a second. Returns false if
 * no active key has the name.
 */
export async function revokeActivePublishableKey(
  db: SystemDb,
  { publishableKey, project }: PublishableKeyTarget,
): Promise<boolean> {
  const result = await db
    .updateTable('gateway.publishable_keys')
    .set({ revoked_at: sql`clock_timestamp()` })
    .where('publishable_key', '=', publishableKey)
    .where('revoked_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Revokes a publishable key like `revokeActivePublishableKey`.
 *
 * @throws ConfigurationError if no active key has the name.
 */
export async function revokePublishableKey(db: SystemDb, publishableKey: string): Promise<void> {
  if (!(await revokeActivePublishableKey(db, { publishableKey })))
    throw new ConfigurationError(`No active key is named ${publishableKey}`)
}
