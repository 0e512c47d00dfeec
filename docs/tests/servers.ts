import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { serveLocally } from '@mintmark/devkit/serve-locally'
import { seedDemo } from '@mintmark/gateway-server'
import type { AccountKey, DemoCredentials } from '@mintmark/sandbox'
import { parseEther, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { seller, signedBody } from '../../packages/facilitator-server/src/engine/testing.ts'
import { testFacilitator } from '../../packages/facilitator-server/src/testing.ts'
import { startTestGateway } from '../../tools/gateway.ts'
import { findFreePort } from './free-port.ts'

/** What examples may use without defining it. `given.d.ts` describes each. */
export interface Given {
  [name: string]: unknown
  baseUrl: string
  facilitatorUrl: string
}

/** What the servers' metrics require. */
export const metricsToken = 'a-token-for-the-metrics'

/** The token of the facilitator's operator interface. */
const operatorToken = 'the-operator-token-of-the-documents'

/** All scopes, those of the admin interface included. */
const SCOPES = [
  ...['*', 'people:read', 'people:write', 'keys:read', 'keys:write', 'audit:read'],
  ...['operator:read', 'operator:write'],
]

function getKey(index: number): AccountKey {
  const { address, privateKey } = devAccount(index)
  return { address, privateKey }
}

const NFT_ADDRESS = '0x00000000000000000000000000000000000000aa'

/**
 * Starts both servers on a dev chain, as `npm start` does. Returns a function that creates a project, an
 * account and wallets for one document, with `credentials.json` as `npm start` writes it.
 */
export async function startServers(stops: AsyncDisposableStack) {
  // A block every second, so that what waits for blocks ends.
  const chain = await testChain({ blockTime: 1 })
  const { rpcUrl, chainId } = chain
  const gateway = await startTestGateway(
    { CHAINS: `${chainId}=${rpcUrl}`, METRICS_TOKEN: metricsToken },
    stops,
  )
  const signerKeys = [devAccount(9).privateKey]
  // Wallets that open accounts sign the address.
  const port = await findFreePort()
  const facilitator = await testFacilitator({
    chain,
    signerKeys,
    env: {
      FACILITATOR_PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRIAL_SETTLES: '20',
      FINALITY: '1',
      OPERATOR_TOKEN: operatorToken,
      APPROVAL_GRANT_WEI: '1000000000000000',
    },
  })
  stops.defer(() => facilitator.close())
  // A receiver that accepts every webhook, for examples that only configure one.
  const receiver = await serveLocally((_, response) => response.writeHead(204).end(), stops)
  const customer = devAccount(4)
  const buyer = devAccount(1).address.toLowerCase()
  const creator = devAccount(2).address.toLowerCase()

  return async (name: string): Promise<{ given: Given; credentials: DemoCredentials }> => {
    const { projectId, apiKey, secret } = await gateway.newKey(name, undefined, SCOPES)
    const seed = {
      project: projectId,
      wallet: buyer,
      creator,
      nftAddress: NFT_ADDRESS,
      chainId: String(chainId),
    }
    const payToken = { address: chain.token, decimals: 6 }
    const { orderNo } = await seedDemo(gateway.database, { ...seed, payToken })
    const walletKey = generatePrivateKey()
    const wallet = privateKeyToAddress(walletKey)
    await chain.client.setBalance({ address: wallet, value: parseEther('10') })
    const { token, payer } = await facilitator.account({ payer: wallet })
    const { paymentPayload, paymentRequirements } = await signedBody({ account: customer })
    return {
      given: {
        baseUrl: gateway.url,
        apiKey,
        secret,
        buyer,
        creator,
        nftAddress: NFT_ADDRESS,
        rpcUrl,
        facilitatorUrl: facilitator.url,
        token,
        operatorToken,
        newWallet: privateKeyToAddress(generatePrivateKey()),
        walletKey,
        webhookUrl: `${receiver}/hooks`,
        payTo: seller,
        customerKey: customer.privateKey,
        paymentPayload,
        paymentRequirements,
        orderNo,
        recipient: buyer,
        hash: toHex(crypto.getRandomValues(new Uint8Array(32))),
      },
      credentials: {
        gateway: { baseUrl: gateway.url, credentials: { apiKey, secret }, apiKey, secret },
        facilitator: { baseUrl: facilitator.url, credentials: { token }, token, payer },
        operator: { baseUrl: facilitator.url, credentials: { token: operatorToken } },
        chain: { rpcUrl, chainId, token: chain.token },
        accounts: {
          buyer: getKey(1),
          creator: getKey(2),
          payer: { address: wallet, privateKey: walletKey },
          others: [getKey(4)],
        },
        demo: { wallet: buyer, creator, nftAddress: NFT_ADDRESS, orderNo },
      },
    }
  }
}
