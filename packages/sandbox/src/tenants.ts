import { createHmac } from 'node:crypto'
import type { DevChain } from '@mintmark/devkit'
import {
  createAccount,
  createKey as createFacilitatorKey,
  type Tables as FacilitatorTables,
  facilitatorSchema,
  findKey,
  listAccounts,
} from '@mintmark/facilitator-server'
import {
  createKey,
  DEMO_PEOPLE,
  findLiveKey,
  type GatewayDatabase,
  openGatewayDatabase,
  ROLE,
  seedDemo,
  seedPeople,
} from '@mintmark/gateway-server'
import { createSealer, openDatabase, type Sealer } from '@mintmark/server-kit'
import { sandboxAccounts } from './accounts.ts'
import type { ConsoleCredentials, Credentials, DemoContents } from './credentials.ts'

const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'
const addresses = {
  buyer: sandboxAccounts.buyer.address.toLowerCase(),
  creator: sandboxAccounts.creator.address.toLowerCase(),
  payer: sandboxAccounts.payer.address.toLowerCase(),
}

/** Credentials without the addresses of the servers, which are not started yet. */
export interface TenantKeys {
  readonly gateway: { readonly apiKey: string; readonly secret: string }
  readonly facilitator: { readonly token: string; readonly payer: string }
  readonly demo?: DemoContents
  readonly console?: Omit<ConsoleCredentials, 'url'>
}

export interface TenantOptions {
  readonly chain: DevChain
  readonly secretKeys: string
  /** Whether to create demo rows. */
  readonly demo: boolean
  /** The credentials of an earlier start with the same database. */
  readonly earlier: Credentials | undefined
}

/**
 * Creates the project, the account and their keys in a migrated database, and the demo rows. Idempotent: keys
 * of an earlier start that are still valid are returned again, so that programs that use them keep working.
 */
export async function prepareTenants(databaseUrl: string, options: TenantOptions): Promise<TenantKeys> {
  const [gateway, facilitator] = await Promise.all([
    prepareProject(databaseUrl, options),
    prepareAccount(databaseUrl, options.earlier),
  ])
  return { ...gateway, facilitator: { token: facilitator, payer: addresses.payer } }
}

/** Creates the gateway's project with a key, and the demo rows. */
async function prepareProject(
  databaseUrl: string,
  { chain, secretKeys, demo, earlier }: TenantOptions,
): Promise<Pick<TenantKeys, 'gateway' | 'demo' | 'console'>> {
  const owner = openGatewayDatabase({ url: databaseUrl, max: 2 })
  const asServer = openGatewayDatabase({ url: databaseUrl, role: ROLE, max: 2 })
  try {
    const { projectId, ...gateway } = await getGatewayKey(owner, createSealer(secretKeys), earlier)
    if (!demo) return { gateway }
    const { buyer: wallet, creator } = addresses
    const { orderNo } = await seedDemo(asServer, {
      project: projectId,
      wallet,
      creator,
      nftAddress: NFT_ADDRESS,
      chainId: String(chain.chainId),
      payToken: { address: chain.token, decimals: 6 },
    })
    const password = earlier?.console?.password ?? createPassword(secretKeys)
    await seedPeople(owner.system, { project: projectId, password, wallet: creator })
    return {
      gateway,
      demo: { wallet, creator, nftAddress: NFT_ADDRESS, orderNo },
      console: { emails: DEMO_PEOPLE.map(({ email }) => email), password },
    }
  } finally {
    await asServer.close()
    await owner.close()
  }
}

/**
 * Creates the password of the demo people. It is always the same for the keys of a folder: people keep their
 * password, also those of a start that was cut before it stored the credentials.
 */
function createPassword(secretKeys: string): string {
  return createHmac('sha256', secretKeys).update('console').digest('base64url').slice(0, 12)
}

/** Returns the key of an earlier start while it is valid, and a new one otherwise. */
async function getGatewayKey(owner: GatewayDatabase, sealer: Sealer, earlier: Credentials | undefined) {
  const live = earlier && (await findLiveKey(owner.system, sealer, earlier.gateway.apiKey))
  if (earlier && live) {
    const { apiKey, secret } = earlier.gateway
    return { projectId: live.project, apiKey, secret }
  }
  const key = { project: 'demo', name: 'demo', wallet: addresses.creator }
  const { projectId, apiKey, secret } = await createKey(owner.system, sealer, key)
  return { projectId, apiKey, secret }
}

/** Creates the facilitator's account with a key, unless an earlier start has. Returns the key. */
async function prepareAccount(databaseUrl: string, earlier: Credentials | undefined): Promise<string> {
  const { role } = facilitatorSchema
  const database = openDatabase<FacilitatorTables>({ url: databaseUrl, role, max: 2 })
  const db = database.system
  try {
    const existing = (await listAccounts(db)).find(({ payer }) => payer === addresses.payer)
    const { id } = existing ?? (await createAccount(db, { payer: addresses.payer, name: 'demo' }))
    if (earlier && (await findKey(db, earlier.facilitator.token))) return earlier.facilitator.token
    return (await createFacilitatorKey(db, { account: id, name: 'demo' })).token
  } finally {
    await database.close()
  }
}
