import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createKey, gatewaySchema, seedDemo, startGateway, type Tables } from '@mintmark/gateway-server'
import {
  createLog,
  createSealer,
  environment,
  migrate,
  newSecretKey,
  openDatabase,
} from '@mintmark/server-kit'
import { testDatabase } from '@mintmark/server-kit/testing'
import { parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { seller, signedBody } from '../../packages/facilitator-server/src/payment/testing.ts'
import { testFacilitator } from '../../packages/facilitator-server/src/testing.ts'
import { devAccount } from '../devchain/accounts.ts'
import { type TestChain, testChain } from '../devchain/testing.ts'
import type { Credentials } from '../start/credentials.ts'

/** What examples take as given; `given.d.ts` of tools/readme says what each is. */
export interface Given {
  [name: string]: unknown
  baseUrl: string
  facilitatorUrl: string
}

/** Both servers on a dev chain, as `npm start` runs them. */
export interface World {
  /** A project, an account and wallets of one document's own, and `credentials.json` as `npm start` writes it. */
  prepare(name: string): Promise<{ given: Given; credentials: Credentials }>
  close(): Promise<void>
}

const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'

/** Starts everything that examples call. Blocks come every second, so that what waits for them ends. */
export async function startWorld(): Promise<World> {
  const stops: (() => unknown)[] = []
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    return { prepare: await startAll(stops), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startAll(stops: (() => unknown)[]): Promise<World['prepare']> {
  const chain = await testChain({ blockTime: 1 })
  const gateway = await startProjects(chain, stops)
  const facilitator = await testFacilitator({
    chain,
    signerKeys: [devAccount(9).privateKey],
    env: { FINALITY: '1' },
  })
  stops.push(() => facilitator.close())
  const webhookUrl = await startReceiver(stops)
  const customer = devAccount(4)
  return async (name) => {
    const { apiKey, secret, buyer, creator, orderNo } = await gateway.project(name)
    const walletKey = generatePrivateKey()
    const wallet = privateKeyToAddress(walletKey)
    await chain.client.setBalance({ address: wallet, value: parseEther('10') })
    const { token, payer } = await facilitator.account({ payer: wallet })
    const { rpcUrl, chainId } = chain
    const { paymentPayload, paymentRequirements } = await signedBody({ account: customer })
    return {
      given: {
        ...{ baseUrl: gateway.url, apiKey, secret, buyer, creator, nftAddress: NFT_ADDRESS, rpcUrl },
        ...{ facilitatorUrl: facilitator.url, token, walletKey, webhookUrl, payTo: seller },
        ...{ customerKey: customer.privateKey, paymentPayload, paymentRequirements },
        ...{ orderNo, recipient: buyer, hash: toHex(crypto.getRandomValues(new Uint8Array(32))) },
      },
      credentials: {
        gateway: { baseUrl: gateway.url, apiKey, secret },
        facilitator: { baseUrl: facilitator.url, token, payer },
        chain: { rpcUrl, chainId, token: chain.token },
        demo: { wallet: buyer, creator, nftAddress: NFT_ADDRESS, orderNo },
      },
    }
  }
}

async function startProjects(chain: TestChain, stops: (() => unknown)[]) {
  const place = await testDatabase()
  stops.push(() => place.drop())
  await migrate(place.url, gatewaySchema)
  const secretKeys = newSecretKey('examples')
  const database = openDatabase<Tables>({ url: place.url, max: 2 })
  stops.push(() => database.close())
  const server = await startGateway(
    environment({
      DATABASE_URL: place.url,
      SECRET_KEYS: secretKeys,
      GATEWAY_PORT: '0',
      RATE_LIMIT_PER_SECOND: '1000',
      RATE_LIMIT_BURST: '2000',
      CHAINS: `${chain.chainId}=${chain.rpcUrl}`,
    }),
    createLog('gateway', 'silent'),
  )
  stops.push(() => server.close())
  const buyer = devAccount(1).address.toLowerCase()
  const creator = devAccount(2).address.toLowerCase()
  return {
    url: server.url,
    async project(name: string) {
      const key = await createKey(database.system, createSealer(secretKeys), { project: name, name })
      const { orderNo } = await seedDemo(database, {
        ...{ wallet: buyer, creator, nftAddress: NFT_ADDRESS, chainId: String(chain.chainId) },
        project: key.projectId,
        payToken: { address: chain.token, decimals: 6 },
      })
      return { apiKey: key.apiKey, secret: key.secret, buyer, creator, orderNo }
    },
  }
}

/** A receiver of webhooks that believes everything, for examples that only configure one. */
async function startReceiver(stops: (() => unknown)[]): Promise<string> {
  const receiver = createServer((_, response) => response.writeHead(204).end())
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  stops.push(() => receiver.close())
  // A server that listens on a host and port has an address with a port.
  const { port } = receiver.address() as AddressInfo
  return `http://127.0.0.1:${port}/hooks`
}
