import { type ApiKey, apiKeys, TOO_MANY_KEYS } from '@mintmark/admin'
import { NotFoundError } from '@mintmark/envelope'
import {
  type FieldLimits,
  HttpError,
  isForeignKeyViolation,
  refusal,
  transaction,
} from '@mintmark/server-kit'
import { implementWithLimits } from '../../http/context.ts'
import { ensureFound } from '../../http/ensure-found.ts'
import { ADDRESS, KEY } from '../../http/field-limits.ts'
import {
  ALL_SCOPES,
  addKey,
  findActiveKey,
  findProject,
  hasRoomForKey,
  type KeyRow,
  listProjectKeys,
  MAX_ACTIVE_KEYS,
  revokeActiveKey,
  rotateActiveKey,
} from '../../keys/keys-store.ts'
import { checkHeldScopes, checkScopes } from './key-scopes.ts'
import type { PeoplePorts } from './people-port.ts'

const MAX_GRACE_HOURS = 8760
const DEFAULT_GRACE_HOURS = 24

const keyLimits: FieldLimits = {
  apiKey: KEY,
  graceHours: { min: 0, max: MAX_GRACE_HOURS, integer: true },
  scopes: { items: 50, characters: 32 },
  wallet: ADDRESS,
}

function toApiKey({ api_key, name, scopes, store_id, wallet, created_at, revoked_at }: KeyRow): ApiKey {
  return {
    apiKey: api_key,
    name,
    scopes,
    storeId: store_id ?? 0,
    wallet,
    createTime: created_at.toISOString(),
    ...(revoked_at !== null && { revokeTime: revoked_at.toISOString() }),
  }
}

export const apiKeyRoutes = implementWithLimits<PeoplePorts>(keyLimits)(apiKeys, {
  async list(_, { people: { db }, tenant }) {
    return (await listProjectKeys(db, tenant.project)).map(toApiKey)
  },

  async getCurrent(_, { people: { db }, tenant, caller }) {
    const [, apiKey] = /^key:(.*)$/.exec(caller.actor) ?? []
    if (apiKey === undefined) throw new HttpError(403, 'A session has no key. Sign the call with a key')
    const row = await findActiveKey(db, tenant.project, apiKey)
    const project = await findProject(db, tenant.project)
    if (row === undefined || project === undefined) throw new HttpError(401, 'The key was revoked')
    const { name, scopes, storeId, wallet } = toApiKey(row)
    return { apiKey, name, projectId: tenant.project, projectName: project.name, scopes, storeId, wallet }
  },

  async create({ name, scopes: given, storeId, wallet }, context) {
    const { people: port, tenant, knownScopes, invalid } = context
    if (storeId !== undefined && given === undefined)
      invalid('scopes', 'A key of a store needs scopes, such as cards:verify')
    const scopes = given ?? [ALL_SCOPES]
    checkScopes(scopes, new Set([ALL_SCOPES, ...knownScopes]), context)
    // Commits before the response is stored under an Idempotency-Key. If the process ends in between, a retry
    // creates another key.
    return await transaction(port.db, async (trx) => {
      if (!(await hasRoomForKey(trx, 'gateway.api_keys', tenant.project)))
        throw refusal(TOO_MANY_KEYS, `A project has at most ${MAX_ACTIVE_KEYS} active keys`)
      const key = { name, scopes, storeId, wallet }
      const { row, secret } = await addKey(trx, port.sealer, tenant.project, key)
      return { ...toApiKey(row), secret }
    }).catch((error: unknown) => {
      if (isForeignKeyViolation(error)) context.invalid('storeId', 'No store has this id')
      throw error
    })
  },

  async rotate({ apiKey, graceHours = DEFAULT_GRACE_HOURS }, context) {
    const { people: port, tenant } = context
    const key = ensureFound(await findActiveKey(port.db, tenant.project, apiKey))
    checkHeldScopes(key.scopes, context)
    const target = { apiKey, project: tenant.project }
    const secret = ensureFound(await rotateActiveKey(port.db, port.sealer, target, graceHours))
    return { ...toApiKey(key), secret }
  },

  async revoke({ apiKey }, { people: { db }, tenant }) {
    if (!(await revokeActiveKey(db, { apiKey, project: tenant.project }))) throw refusal(NotFoundError)
    return {}
  },
})
