import { type PublishableKey, publishableKeys, TOO_MANY_KEYS } from '@mintmark/admin'
import { NotFoundError } from '@mintmark/envelope'
import { type FieldLimits, refusal, transaction } from '@mintmark/server-kit'
import { implementWithLimits } from '../../http/context.ts'
import { KEY } from '../../http/field-limits.ts'
import { ORIGIN_FORMAT } from '../../http/formats.ts'
import { hasRoomForKey, MAX_ACTIVE_KEYS } from '../../keys/keys-store.ts'
import {
  addPublishableKey,
  listProjectPublishableKeys,
  type PublishableKeyRow,
  revokeActivePublishableKey,
} from '../../keys/publishable-keys-store.ts'
import { checkScopes } from './key-scopes.ts'
import type { PeoplePorts } from './people-port.ts'

const keyLimits: FieldLimits = {
  // https://, the longest name of a host, and a port.
  origins: { items: 20, characters: 270, format: ORIGIN_FORMAT },
  publishableKey: KEY,
  scopes: { items: 10, characters: 32 },
}

function toPublishableKey(row: PublishableKeyRow): PublishableKey {
  const { publishable_key: publishableKey, name, scopes, origins, created_at, revoked_at } = row
  return {
    publishableKey,
    name,
    scopes,
    origins,
    createTime: created_at.toISOString(),
    ...(revoked_at !== null && { revokeTime: revoked_at.toISOString() }),
  }
}

export const publishableKeyRoutes = implementWithLimits<PeoplePorts>(keyLimits)(publishableKeys, {
  async list(_, { people: { db }, tenant }) {
    return (await listProjectPublishableKeys(db, tenant.project)).map(toPublishableKey)
  },

  async create({ name, origins, scopes }, context) {
    const { people: port, tenant, publishableScopes, invalid } = context
    const granted = scopes ?? [...publishableScopes]
    checkScopes(granted, publishableScopes, context)
    if (origins.length === 0) invalid('origins', 'Expected at least one origin')
    // Commits before the response is stored under an Idempotency-Key. If the process ends in between, a retry
    // creates another key.
    return await transaction(port.db, async (trx) => {
      if (!(await hasRoomForKey(trx, 'gateway.publishable_keys', tenant.project)))
        throw refusal(TOO_MANY_KEYS, `A project has at most ${MAX_ACTIVE_KEYS} active publishable keys`)
      const key = { name, scopes: granted, origins: [...new Set(origins)] }
      return toPublishableKey(await addPublishableKey(trx, tenant.project, key))
    })
  },

  async revoke({ publishableKey }, { people: { db }, tenant }) {
    const target = { publishableKey, project: tenant.project }
    if (!(await revokeActivePublishableKey(db, target))) throw refusal(NotFoundError)
    return {}
  },
})
