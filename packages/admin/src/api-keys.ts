import {
  Empty,
  ForbiddenError,
  Id,
  Integer,
  NotFoundError,
  record,
  type Schema,
  Text,
  Timestamp,
} from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { SCOPE_NOT_HELD, TOO_MANY_KEYS } from './rules.ts'

const apiKey = record({
  /** The key, such as `mk_…`. It is no secret. */
  apiKey: v.string(),
  /** What the key is for. */
  name: v.string(),
  /**
   * The scopes of the key, such as `cards:read`; `*` stands for all scopes except those of the admin
   * interface.
   */
  scopes: v.array(v.string()),
  /** The id of the store in which the key verifies cards; 0 for any store. */
  storeId: Integer,
  /** The wallet of what the key does; `''` if it has none. */
  wallet: v.string(),
  /** When the key was created. */
  createTime: Timestamp,
  /** When the key was revoked; absent while it is active. */
  revokeTime: v.optional(Timestamp),
  /** The key's secret. Only the response that creates it has it. */
  secret: v.optional(v.string()),
})
/** A key that signs calls of the project. */
export interface ApiKey extends v.InferOutput<typeof apiKey> {}
export const ApiKey: Schema<ApiKey> = apiKey

const currentApiKey = record({
  /** The key, such as `mk_…`. */
  apiKey: v.string(),
  /** What the key is for. */
  name: v.string(),
  /** The id of the key's project. */
  projectId: Integer,
  /** The name of the key's project. */
  projectName: v.string(),
  /** The scopes of the key; `*` stands for all scopes except those of the admin interface. */
  scopes: v.array(v.string()),
  /** The id of the store in which the key verifies cards; 0 for any store. */
  storeId: Integer,
  /** The wallet of what the key does; `''` if it has none. */
  wallet: v.string(),
})
/** The key of a call, with its project. */
export interface CurrentApiKey extends v.InferOutput<typeof currentApiKey> {}
export const CurrentApiKey: Schema<CurrentApiKey> = currentApiKey

/**
 * Returns the key that signs the call, with its project. Every key can call it, so that programs can check their
 * credentials. ForbiddenError for a session of the console.
 *
 * @example
 * const { projectName, wallet, scopes } = await apiKeys.getCurrent(gateway)
 */
export const getCurrent = gatewayOperation({
  id: 'apiKeys.getCurrent',
  method: 'GET',
  path: '/admin/v1/currentApiKey',
  source: 'own',
  data: CurrentApiKey,
  errors: [ForbiddenError],
})

const params = {
  /** The key, such as `mk_…`. */
  apiKey: Text,
}

/**
 * Lists the newest 1,000 keys of the project, newest first, revoked ones included.
 *
 * @example
 * for (const { apiKey, name } of await apiKeys.list(gateway)) console.log(apiKey, name)
 */
export const list = gatewayOperation({
  id: 'apiKeys.list',
  method: 'GET',
  path: '/admin/v1/apiKeys',
  source: 'own',
  scope: 'keys:read',
  data: v.array(ApiKey),
})

/**
 * Creates a key and returns its secret, which cannot be read again. `SCOPE_NOT_HELD` if it would have scopes
 * that the caller lacks. `TOO_MANY_KEYS` at the project's limit of 100 active keys.
 *
 * @example
 * const { apiKey, secret } = await apiKeys.create(gateway, { name: 'shop', scopes: ['orders:read', 'orders:write'] })
 */
export const create = gatewayOperation({
  id: 'apiKeys.create',
  method: 'POST',
  path: '/admin/v1/apiKeys',
  source: 'own',
  scope: 'keys:write',
  body: {
    /** What the key is for. */
    name: Text,
    /** The scopes of the key. Default: `*`, all scopes except those of the admin interface. Required with `storeId`. */
    scopes: v.optional(v.array(v.string())),
    /** The id of the store of a till: the key verifies cards in this store only. Default: any store. */
    storeId: v.optional(Id),
    /** The wallet of what the key does. Default: none. */
    wallet: v.optional(v.string()),
  },
  data: ApiKey,
  errors: [SCOPE_NOT_HELD, TOO_MANY_KEYS],
})
export type CreateApiKeyInput = InputOf<typeof create>

/**
 * Adds a new secret to a key and returns it. The previous secret stays valid for `graceHours`. NotFoundError
 * if the key does not exist or is revoked. `SCOPE_NOT_HELD` if the key has scopes that the caller lacks.
 *
 * @example
 * const { secret } = await apiKeys.rotate(gateway, { apiKey: 'mk_…', graceHours: 24 })
 */
export const rotate = gatewayOperation({
  id: 'apiKeys.rotate',
  method: 'POST',
  path: '/admin/v1/apiKeys/{apiKey}/rotate',
  source: 'own',
  scope: 'keys:write',
  params,
  body: {
    /** How long the previous secret stays valid, in hours: 0 to 8,760. Default: 24. */
    graceHours: v.optional(Integer),
  },
  data: ApiKey,
  errors: [NotFoundError, SCOPE_NOT_HELD],
})
export type RotateApiKeyInput = InputOf<typeof rotate>

/**
 * Revokes a key. Servers accept no call with it a second later, and nobody can accept invitations that it has
 * created. NotFoundError if the key does not exist or is revoked.
 *
 * @example
 * await apiKeys.revoke(gateway, { apiKey: 'mk_…' })
 */
export const revoke = gatewayOperation({
  id: 'apiKeys.revoke',
  method: 'DELETE',
  path: '/admin/v1/apiKeys/{apiKey}',
  source: 'own',
  scope: 'keys:write',
  params,
  data: Empty,
  errors: [NotFoundError],
})
export type RevokeApiKeyInput = InputOf<typeof revoke>
