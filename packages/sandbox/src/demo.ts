import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { DevChain } from '@mintmark/devkit/chain/start'
import {
  createAccount,
  createKey as createFacilitatorKey,
  type Tables as FacilitatorTables,
  facilitatorSchema,
  findKey,
  listAccounts,
  migrateJobs,
} from '@mintmark/facilitator-server'
import {
  createKey,
  findLiveKey,
  type GatewayDatabase,
  gatewaySchema,
  migrateWebhookJobs,
  openGatewayDatabase,
  ROLE,
  seedDemo,
} from '@mintmark/gateway-server'
import { createSealer, migrate, openDatabase, type Sealer } from '@mintmark/server-kit'
import type { Credentials } from './credentials.ts'

/** The dev chain's accounts of the demo. */
export const wallets = {
  /** Buys, and pays orders. */
  buyer: devAccount(1),
  /** Creates the collection, and sells. */
  creator: devAccount(2),
  /** The payer of the facilitator's account. */
  payer: devAccount(3),
  /** Sends the settlements and pays their gas. */
  facilitatorSigner: devAccount(9),
}

const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'
const addresses = {
  wallet: wallets.buyer.address.toLowerCase(),
  creator: wallets.creator.address.toLowerCase(),
  payer: wallets.payer.address.toLowerCase(),
}

/** Credentials without the addresses of the servers, which are not started yet. */
export interface DemoKeys {
  readonly gateway: { readonly apiKey: string; readonly secret: string }
  readonly facilitator: { readonly token: string; readonly payer: string }
  readonly demo: Credentials['demo']
}

/**
 * Migrates the database and creates the demo's project, account, keys and rows. Idempotent: keys of an earlier start that are still valid are
 * returned again, so that programs that use them keep working.
 */
export async function prepareDemo(
  databaseUrl: string,
  options: { chain: DevChain; secretKeys: string; earlier: Credentials | undefined },
): Promise<DemoKeys> {
  const { chain, secretKeys, earlier } = options
  await migrate(databaseUrl, gatewaySchema)
  await migrateWebhookJobs(databaseUrl)
  const owner = openGatewayDatabase({ url: databaseUrl, max: 2 })
  const asServer = openGatewayDatabase({ url: databaseUrl, role: ROLE, max: 2 })
  try {
    const key = await getGatewayKey(owner, createSealer(secretKeys), earlier)
    const { wallet, creator, payer } = addresses
    const { orderNo } = await seedDemo(asServer, {
      project: key.projectId,
      wallet,
      creator,
      nftAddress: NFT_ADDRESS,
      chainId: String(chain.chainId),
      payToken: { address: chain.token, decimals: 6 },
    })
    return {
      gateway: { apiKey: key.apiKey, secret: key.secret },
      facilitator: { token: await prepareFacilitator(databaseUrl, earlier), payer },
      demo: { wallet, creator, nftAddress: NFT_ADDRESS, orderNo },
    }
  } finally {
    await asServer.close()
    await owner.close()
  }
}

/** Returns the key of an earlier start while it is valid, and a new one otherwise. */
async function getGatewayKey(owner: GatewayDatabase, sealer: Sealer, earlier: Credentials | undefined) {
  const live = earlier && (await findLiveKey(owner.system, sealer, earlier.gateway.apiKey))
  if (earlier && live) {
    const { apiKey, secret } = earlier.gateway
    return { projectId: live.project, apiKey, secret }
  }
  return await createKey(owner.system, sealer, { project: 'demo', name: 'demo', wallet: addresses.creator })
}

/** Creates the facilitator's account and a key for it, unless an earlier start has. Returns the key. */
async function prepareFacilitator(databaseUrl: string, earlier: Credentials | undefined): Promise<string> {
  await migrate(databaseUrl, facilitatorSchema)
  await migrateJobs(databaseUrl)
  const database = openDatabase<FacilitatorTables>({ url: databaseUrl, max: 2 })
  const db = database.system
  try {
    const account = (await listAccounts(db)).find(({ payer }) => payer === addresses.payer)
    const { id } = account ?? (await createAccount(db, { payer: addresses.payer, name: 'demo' }))
    if (earlier && (await findKey(db, earlier.facilitator.token))) return earlier.facilitator.token
    return (await createFacilitatorKey(db, { account: id, name: 'demo' })).token
  } finally {
    await database.close()
  }
}
