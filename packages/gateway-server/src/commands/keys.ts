import type { OperationShape } from '@mintmark/operation'
import { type Command, ConfigurationError, type Sealer } from '@mintmark/server-kit'
import type { Db } from '../database/tables.ts'
import { Tenant } from '../database/tenant.ts'
import { resealAuthSecret } from '../domains/people/auth-secret.ts'
import { resealWebhooks } from '../domains/webhooks/delivering.ts'
import { findAddressProblem } from '../http/address-rules.ts'
import { parseOrigins } from '../http/origins.ts'
import { createKey, listKeys, resealKeys, revokeKey, rotateKey } from '../keys/keys-store.ts'
import { ensureMinter, resealMinters } from '../keys/minters.ts'
import {
  createPublishableKey,
  isPublishableKey,
  listPublishableKeys,
  revokePublishableKey,
} from '../keys/publishable-keys-store.ts'
import { routes } from '../main/routes.ts'
import { print, withDatabase } from './command-database.ts'

const withKeys = (work: (db: Db, sealer: Sealer) => Promise<void>) => withDatabase('keys', work)

/** The scopes of the operations that a condition holds for. */
function listScopes(holds: (operation: OperationShape) => boolean): string[] {
  const operations = routes.map(({ operation }) => operation).filter(holds)
  return [...new Set(operations.flatMap(({ scope }) => scope ?? []))].sort()
}

/** Parses a comma-separated list of scopes. */
function parseScopes(text: string, valid: readonly string[]): string[] {
  const scopes = text.split(',').map((scope) => scope.trim())
  const unknown = scopes.find((scope) => !valid.includes(scope))
  if (unknown !== undefined)
    throw new ConfigurationError(`--scopes: unknown scope "${unknown}". Valid scopes: ${valid.join(', ')}`)
  return scopes
}

/** Commands for API keys and for the keys that sign mints. */
export const keyCommands: Record<string, Command> = {
  'keys create': {
    summary:
      'Creates a key of a project and prints its secret once. Scopes: for example cards:read,cards:write. Default: all but those of the admin interface.',
    options: { project: 'name', name: 'label?', wallet: 'address?', scopes: 'list?' },
    async run({ options }) {
      const { project = '', name = '', wallet, scopes } = options
      const problem = wallet === undefined ? undefined : findAddressProblem(wallet)
      if (problem !== undefined) throw new ConfigurationError(`--wallet: ${problem}`)
      const valid = listScopes(() => true)
      const parsedScopes = scopes === undefined ? undefined : parseScopes(scopes, valid)
      const key = { project, name, wallet, scopes: parsedScopes }
      await withKeys(async (db, sealer) => print(await createKey(db, sealer, key)))
    },
  },
  'keys create-publishable': {
    summary:
      'Creates a key for pages of the given origins, which can read what is public of a shop. Default scopes: contracts:read,market:read.',
    options: { project: 'name', origins: 'list', name: 'label?', scopes: 'list?' },
    async run({ options }) {
      const { project = '', name = '', origins = '', scopes } = options
      const valid = listScopes(({ publishable }) => publishable === true)
      const key = {
        project,
        name,
        origins: parseOrigins(origins),
        scopes: scopes === undefined ? valid : parseScopes(scopes, valid),
      }
      await withKeys(async (db) => print(await createPublishableKey(db, key)))
    },
  },
  'keys list': {
    summary: 'Lists the keys without their secrets, then the publishable keys.',
    run: async () =>
      await withKeys(async (db) => print([...(await listKeys(db)), ...(await listPublishableKeys(db))])),
  },
  'keys rotate': {
    summary: 'Adds a new secret and prints it once. The old secret stays valid for --grace hours (24).',
    arguments: ['api-key'],
    options: { grace: 'hours?' },
    async run({ arguments: [apiKey = ''], options }) {
      const hours = Number(options.grace ?? 24)
      if (!(hours >= 0 && hours <= 24 * 365))
        throw new ConfigurationError('--grace: expected hours from 0 to 8760')
      await withKeys(async (db, sealer) =>
        print({ apiKey, secret: await rotateKey(db, sealer, apiKey, hours) }),
      )
    },
  },
  'keys revoke': {
    summary: 'Revokes a key of either kind.',
    arguments: ['api-key'],
    async run({ arguments: [apiKey = ''] }) {
      const revoke = isPublishableKey(apiKey) ? revokePublishableKey : revokeKey
      await withKeys(async (db) => await revoke(db, apiKey))
      console.log(`${apiKey} is revoked.`)
    },
  },
  'keys reseal': {
    summary: 'Encrypts every stored secret with the first of SECRET_KEYS, so that the others can be removed.',
    run: async () =>
      await withKeys(async (db, sealer) => {
        const keys = await resealKeys(db, sealer)
        const minters = await resealMinters(db, sealer)
        const webhooks = await resealWebhooks(db, sealer)
        print({ resealed: keys + minters + webhooks + (await resealAuthSecret(db, sealer)) })
      }),
  },
  'minter show': {
    summary:
      "Prints the address that signs a project's mints. The project's contracts must authorize it. Creates its key if necessary.",
    options: { project: 'name' },
    async run({ options }) {
      await withDatabase('minter', async (db, sealer) => {
        const project = await db
          .selectFrom('gateway.projects')
          .select('id')
          .where('name', '=', options.project ?? '')
          .executeTakeFirst()
        if (project === undefined) throw new ConfigurationError(`No project is named ${options.project}`)
        print({ projectId: project.id, minter: await ensureMinter(new Tenant(db, project.id), sealer) })
      })
    },
  },
}
