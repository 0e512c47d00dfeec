import type { PurchaseStore, StoredPurchase } from '../store.ts'

/** Sends a command with its arguments to Redis, and returns its reply. */
export type SendCommand = (command: string[]) => Promise<unknown>

export interface RedisStoreOptions {
  /** What all keys begin with. `{x402}:` by default: what is in braces keeps the keys of a cluster on one node. */
  readonly prefix?: string
}

const FIND = `
local value = redis.call('HGET', KEYS[1], 'value')
if value then return value end
if #KEYS < 2 then return false end
local payment = redis.call('GET', KEYS[2])
return payment and redis.call('HGET', payment, 'value')`

const WRITE = `
redis.call('HSET', KEYS[1], 'token', ARGV[2], 'value', ARGV[3], 'key', KEYS[2] or '')
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if KEYS[2] then redis.call('SET', KEYS[2], KEYS[1], 'PX', ARGV[4]) end`

const CLAIM = `
local function find() ${FIND}
end
local existing = find()
if existing then return existing end
${WRITE}
return false`

const DROP_KEY = `
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
local key = redis.call('HGET', KEYS[1], 'key')
if key ~= '' and redis.call('GET', key) == KEYS[1] then redis.call('DEL', key) end`

const REPLACE = `${DROP_KEY}
${WRITE}
return 1`

const REMOVE = `${DROP_KEY}
return redis.call('DEL', KEYS[1])`

/**
 * Creates a store in Redis 6 or later. Redis must keep what it has confirmed (`appendonly yes`, `appendfsync always`), and evict nothing
 * (`maxmemory-policy noeviction`): a purchase that is lost may be paid twice.
 *
 * @example
 * ```ts
 * const store = createRedisStore((command) => redis.sendCommand(command)) // the package `redis`
 * const same = createRedisStore(([name, ...values]) => ioredis.call(name, ...values)) // the package `ioredis`
 * ```
 */
export function createRedisStore(
  send: SendCommand,
  { prefix = '{x402}:' }: RedisStoreOptions = {},
): PurchaseStore {
  const getKeys = (payment: string, key: string | undefined) =>
    key === undefined
      ? [`${prefix}payment:${payment}`]
      : [`${prefix}payment:${payment}`, `${prefix}key:${key}`]
  const run = (script: string, keys: readonly string[], values: readonly string[]) =>
    send(['EVAL', script, String(keys.length), ...keys, ...values])
  const parse = (value: unknown): StoredPurchase | undefined =>
    value === null || value === undefined ? undefined : (JSON.parse(String(value)) as StoredPurchase)

  return {
    async claim(entry, ttlMs) {
      const { payment, key, token } = entry
      return parse(await run(CLAIM, getKeys(payment, key), ['', token, JSON.stringify(entry), String(ttlMs)]))
    },
    async find(id) {
      const keys = 'payment' in id ? getKeys(id.payment, undefined) : getKeys('', id.key)
      return parse(await run(FIND, keys, []))
    },
    async replace(token, entry, ttlMs) {
      const values = [token, entry.token, JSON.stringify(entry), String(ttlMs)]
      return (await run(REPLACE, getKeys(entry.payment, entry.key), values)) === 1
    },
    remove: async (payment, token) => (await run(REMOVE, getKeys(payment, undefined), [token])) === 1,
  }
}
