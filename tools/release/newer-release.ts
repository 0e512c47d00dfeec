import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text that is inserted into a built file: the file, what is before it, and the text. */
export type Addition = readonly [file: string, after: string, added: string]

/** Inserts the texts into the built packages of a folder. */
export function insertInto(packagesFolder: string, additions: readonly Addition[]): void {
  for (const [file, after, added] of additions) {
    const path = join(packagesFolder, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(after)) throw new Error(`${file} does not contain ${after}`)
    writeFileSync(
      path,
      text.replace(after, () => `${after} ${added}`),
    )
  }
}

const MIGRATIONS = 'gateway-server/dist/database/migrations'

/** What a minor release may add: stores have an optional field, and an operation returns one of them. */
const ADDITIONS: readonly Addition[] = [
  ['cards/dist/stores.js', 'record({', 'phone: v.optional(v.string()),'],
  [
    'cards/dist/stores.js',
    'const optionalFields = /* @__PURE__ */ (() => ({',
    'phone: v.optional(v.string()),',
  ],
  [
    'cards/dist/stores.js',
    'export const Store = store;',
    `export const get = /* @__PURE__ */ (() => (gatewayOperation({
      id: 'stores.get', method: 'GET', path: '/api/v1/card/stores/{id}/detail', source: 'added', scope: 'cards:read',
      params: { id: Id }, data: Store, errors: [NotFoundError],
    })))();`,
  ],
  [
    'cards/dist/stores.d.ts',
    'RecordSchema<{',
    'readonly phone: v.OptionalSchema<v.StringSchema<undefined>, undefined>;',
  ],
  ['cards/dist/stores.d.ts', '"stores.create", {', 'phone?: string | undefined;'],
  [
    'cards/dist/stores.d.ts',
    'export type CreateStoreInput = InputOf<typeof create>;',
    `export declare const get: import('@mintmark/operation').Operation<
      'gateway', 'stores.get', { id: number }, Store, 'added', typeof NotFoundError>;`,
  ],
  ['gateway-server/dist/domains/cards/programs/card-fields.js', 'device: LABEL,', 'phone: LABEL,'],
  [
    'gateway-server/dist/domains/cards/stores/store-handlers.js',
    'export const storeHandlers = {',
    `async get({ id }, { tenant }) {
      const store = (await listStores(tenant)).find((each) => each.id === id);
      if (store === undefined) throw refusal(NotFoundError, 'No store has this id');
      return toStore(store);
    },`,
  ],
  [`${MIGRATIONS}.js`, "'0014-access',", "'0015-phones',"],
]

/** Makes the built packages of a folder those of a newer release. */
export function addStorePhones(packagesFolder: string): void {
  insertInto(packagesFolder, ADDITIONS)
  const column = "text not null default '' check (char_length(phone) <= 128)"
  writeFileSync(
    join(packagesFolder, MIGRATIONS, '0015-phones.sql'),
    `alter table gateway.stores add phone ${column};`,
  )
}

/** Creates a store and prints what the server returns, also fields that the client does not know. */
export const STORES_PROGRAM = `
  import { stores } from '@mintmark/cards'
  import { isMintmarkError } from '@mintmark/envelope'
  import { createGateway } from '@mintmark/transport'
  import given from './given.json' with { type: 'json' }
  const { baseUrl, apiKey, secret } = given.gateway
  const gateway = createGateway({ baseUrl, credentials: { apiKey, secret } })
  const { id } = await stores.create(gateway, { name: 'Berlin' })
  const [store] = await stores.list(gateway)
  const print = (value: unknown) => console.log(JSON.stringify(value, ['kind', 'name', 'phone']))
  print(store)
`

/** Uses what only the newer release has. Prints the errors of a server without it. */
export const PHONES_PROGRAM = `${STORES_PROGRAM}
  const toError = (error: unknown) => {
    if (!isMintmarkError(error)) throw error
    return { kind: error.kind }
  }
  print(await stores.create(gateway, { name: 'Hamburg', phone: '040' }).catch(toError))
  print(await stores.get(gateway, { id }).catch(toError))
`
