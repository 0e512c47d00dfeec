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
  gatewaySchema,
  openGatewayDatabase,
  ROLE,
  seedDemo,
} from '@mintmark/gateway-server'
import { createSealer, migrate, openDatabase, readDevelopmentKeys } from '@mintmark/server-kit'
import { type Credentials, dataDir, readCredentials } from './credentials.ts'

/** Who is who in the demo, by the dev chain's accounts. */
export const people = {
  wallet: devAccount(1).address.toLowerCase(),
  creator: devAccount(2).address.toLowerCase(),
  payer: devAccount(3).address.toLowerCase(),
  /** Sends the settlements and pays their gas. */
  facilitatorSigner: devAccount(9),
}
const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'
/** A key that still works is used again, so that programs with the credentials of an earlier start go on working. */
async function gatewayDemo(databaseUrl: string, chain: DevChain, known: Credentials | undefined) {
  await migrate(databaseUrl, gatewaySchema)
  const sealer = createSealer(process.env.SECRET_KEYS || (await readDevelopmentKeys(dataDir())))
  const database = openGatewayDatabase({ url: databaseUrl, max: 2 })
  const asServer = openGatewayDatabase({ url: databaseUrl, role: ROLE, max: 2 })
  try {
    const live = known && (await findLiveKey(database.system, sealer, known.gateway.apiKey))
    const key =
      live && known
        ? { projectId: live.project, apiKey: known.gateway.apiKey, secret: known.gateway.secret }
        : await createKey(database.system, sealer, { project: 'demo', name: 'demo', wallet: people.creator })
    const { orderNo } = await seedDemo(asServer, {
      project: key.projectId,
      wallet: people.wallet,
      creator: people.creator,
      nftAddress: NFT_ADDRESS,
      chainId: String(chain.chainId),
      payToken: { address: chain.token, decimals: 6 },
    })
    return { apiKey: key.apiKey, secret: key.secret, orderNo }
  } finally {
    await asServer.close()
    await database.close()
  }
}

async function facilitatorDemo(databaseUrl: string, known: Credentials | undefined): Promise<string> {
  await migrate(databaseUrl, facilitatorSchema)
  await migrateJobs(databaseUrl)
  const database = openDatabase<FacilitatorTables>({ url: databaseUrl, max: 2 })
  const db = database.system
  try {
    const account = (await listAccounts(db)).find(({ payer }) => payer === people.payer)
    const { id } = account ?? (await createAccount(db, { payer: people.payer, name: 'demo' }))
    if (known && (await findKey(db, known.facilitator.token))) return known.facilitator.token
    return (await createFacilitatorKey(db, { account: id, name: 'demo' })).token
  } finally {
    await database.close()
  }
}

/** Makes the demo's project, account, keys and rows, or finds them again. */
export async function prepareDemo(
  databaseUrl: string,
  chain: DevChain,
  urls: { gateway: string; facilitator: string },
): Promise<Credentials> {
  const known = await readCredentials()
  const { orderNo, ...key } = await gatewayDemo(databaseUrl, chain, known)
  const token = await facilitatorDemo(databaseUrl, known)
  return {
    gateway: { baseUrl: urls.gateway, ...key },
    facilitator: { baseUrl: urls.facilitator, token, payer: people.payer },
    chain: { rpcUrl: chain.rpcUrl, chainId: chain.chainId, token: chain.token },
    demo: { wallet: people.wallet, creator: people.creator, nftAddress: NFT_ADDRESS, orderNo },
  }
}
