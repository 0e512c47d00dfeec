import { Empty, NotFoundError, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { SCOPE_NOT_HELD, TOO_MANY_KEYS } from './rules.ts'

const publishableKey = record({
  /** The key, such as `pk_…`. It is no secret. */
  publishableKey: v.string(),
  /** What the key is for. */
  name: v.string(),
  /** The scopes of the key: `contracts:read`, `market:read` or both. */
  scopes: v.array(v.string()),
  /** The origins of the pages that may use the key, such as `https://shop.example`. */
  origins: v.array(v.string()),
  /** When the key was created. */
  createTime: Timestamp,
  /** When the key was revoked; absent while it is active. */
  revokeTime: v.optional(Timestamp),
})
/** A key in a page, with which everybody reads what is public of a shop. */
export interface PublishableKey extends v.InferOutput<typeof publishableKey> {}
export const PublishableKey: Schema<PublishableKey> = publishableKey

/**
 * Lists the newest 200 publishable keys of the project, newest first, revoked ones included.
 *
 * @example
 * for (const { publishableKey, origins } of await publishableKeys.list(gateway)) console.log(publishableKey, origins)
 */
export const list = gatewayOperation({
  id: 'publishableKeys.list',
  method: 'GET',
  path: '/admin/v1/publishableKeys',
  source: 'own',
  scope: 'keys:read',
  data: v.array(PublishableKey),
})

/**
 * Creates a key for pages of the given origins. It can read what is public of a shop and has no secret.
 * `SCOPE_NOT_HELD` if it would have scopes that the caller lacks. `TOO_MANY_KEYS` at the project's limit of
 * 100 active publishable keys.
 *
 * @example
 * const { publishableKey } = await publishableKeys.create(gateway, { name: 'shop', origins: ['https://shop.example'] })
 */
export const create = gatewayOperation({
  id: 'publishableKeys.create',
  method: 'POST',
  path: '/admin/v1/publishableKeys',
  source: 'own',
  scope: 'keys:write',
  body: {
    /** What the key is for. */
    name: Text,
    /**
     * The origins of the pages that may use the key, at most 20. Each is written as browsers write it in the
     * header Origin: in lower case, without a path, a default port or a slash at the end.
     */
    origins: v.array(v.string()),
    /** The scopes of the key: `contracts:read`, `market:read` or both. Default: both. */
    scopes: v.optional(v.array(v.string())),
  },
  data: PublishableKey,
  errors: [SCOPE_NOT_HELD, TOO_MANY_KEYS],
})
export type CreatePublishableKeyInput = InputOf<typeof create>

/**
 * Revokes a publishable key. Servers accept no call with it a second later. NotFoundError if the key does not
 * exist or is revoked.
 *
 * @example
 * await publishableKeys.revoke(gateway, { publishableKey: 'pk_…' })
 */
export const revoke = gatewayOperation({
  id: 'publishableKeys.revoke',
  method: 'DELETE',
  path: '/admin/v1/publishableKeys/{publishableKey}',
  source: 'own',
  scope: 'keys:write',
  params: {
    /** The key, such as `pk_…`. */
    publishableKey: Text,
  },
  data: Empty,
  errors: [NotFoundError],
})
export type RevokePublishableKeyInput = InputOf<typeof revoke>
