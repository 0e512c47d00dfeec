import { devAccounts } from '@mintmark/devkit/chain/accounts'
import { devChainId, treasuryAddress } from '@mintmark/devkit/chain/chain'
import { facilitatorSchema, migrateJobs, type Tables } from '@mintmark/facilitator-server'
import { createSecretKey, type Database, migrate, openDatabase } from '@mintmark/server-kit'
import type { Kysely } from 'kysely'
import { signedBody } from '../../facilitator-server/src/engine/testing.ts'
import { type TestAccount, testAccount } from '../../facilitator-server/src/testing.ts'
import { startDatabase, startServer } from './processes.ts'

/** More settles than any run makes. */
const SETTLES = 100_000_000

/** A facilitator's database on disk. */
export interface FacilitatorStorage {
  readonly databaseUrl: string
  /** Connections as the server opens them. */
  readonly database: Database<Tables>
  /** A connection of the schema's owner. */
  readonly owner: Kysely<Tables>
  /** Creates an account whose balance and quota no run uses up. */
  newAccount(): Promise<TestAccount>
}

export async function startStorage(stops: AsyncDisposableStack): Promise<FacilitatorStorage> {
  const databaseUrl = await startDatabase(stops)
  await migrate(databaseUrl, facilitatorSchema)
  await migrateJobs(databaseUrl)
  const database = openDatabase<Tables>({ url: databaseUrl, role: facilitatorSchema.role, max: 20 })
  stops.defer(() => database.close())
  const owner = openDatabase<Tables>({ url: databaseUrl, max: 1 })
  stops.defer(() => owner.close())
  return {
    databaseUrl,
    database,
    owner: owner.system,
    newAccount: () => testAccount(database.system, { settles: SETTLES }),
  }
}

/** Starts the facilitator's own command on a chain at `rpcUrl`. Returns its port. */
export function startFacilitator(
  stops: AsyncDisposableStack,
  { databaseUrl }: FacilitatorStorage,
  rpcUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  return startServer(stops, 'facilitator', {
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: createSecretKey('bench'),
    CHAINS: `${devChainId}=${rpcUrl}`,
    FINALITY: '2',
    TREASURY_CHAIN: String(devChainId),
    TREASURY_ADDRESS: treasuryAddress,
    ...settings,
  })
}

/** Bodies of verify or settle, each signed by one of the dev chain's accounts under a nonce of its own. */
export async function signBodies(count: number): Promise<object[]> {
  const bodies: object[] = []
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 24 * 3600)
  while (bodies.length < count) {
    for (const account of devAccounts) bodies.push(await signedBody({ account, validBefore }))
  }
  return bodies.slice(0, count)
}
