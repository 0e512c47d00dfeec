// A facilitator on both kinds of chains, and sellers of each npm package of x402 that accept every way to
// pay.
import { createRequire } from 'node:module'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import legacyUsdc from '@mintmark/devkit/chain/artifacts/LegacyUsdc.json' with { type: 'json' }
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { testChain } from '@mintmark/devkit/chain/testing'
import {
  solanaAccount,
  solanaPyusd,
  solanaUsdc,
  startSolanaChain,
} from '@mintmark/devkit/solana/start-solana'
import { TOKEN_2022_PROGRAM, transferFee, transferHook } from '@mintmark/devkit/solana/token-accounts'
import { listen } from '@mintmark/server-kit'
import type { Address as SolanaAddress } from '@solana/kit'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import type { SchemeNetworkServer } from '@x402/core/types'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/server'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { UptoEvmScheme } from '@x402/evm/upto/server'
import { paymentMiddleware as expressPayments } from '@x402/express'
import { declareEip2612GasSponsoringExtension } from '@x402/extensions'
import { paymentMiddleware as honoPayments } from '@x402/hono'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import express from 'express'
import { Hono } from 'hono'
import { NextRequest, NextResponse } from 'next/server.js'
import { zeroAddress } from 'viem'
import { encodeBase58 } from '../../../packages/facilitator-server/src/chains/solana/base58.ts'
import { newAccount } from '../../../packages/facilitator-server/src/e2e/testing-channels.ts'
import {
  openFacilitatorClient,
  serveSeller,
} from '../../../packages/facilitator-server/src/e2e/testing-sellers.ts'
import { hex } from '../../../packages/facilitator-server/src/engine/testing.ts'
import {
  deployContract,
  deployFactory,
} from '../../../packages/facilitator-server/src/schemes/agreement/testing-payers.ts'
import { feePayerSeed } from '../../../packages/facilitator-server/src/schemes/solana/exact/testing-fixture.ts'
import { testFacilitator } from '../../../packages/facilitator-server/src/testing.ts'

// As a module, `@x402/next` imports `next/server`, which only bundlers and `require` find: the package `next`
// has no exports.
const { withX402, x402ResourceServer: NextResourceServer }: typeof import('@x402/next') = createRequire(
  import.meta.url,
)('@x402/next')

const EVM_NETWORK = 'eip155:84532'
const SELLERS_WALLET = '0x00000000000000000000000000000000005E11e4'
/** What every route costs at most, in base units. */
export const PRICE = 10_000n
/** What is used of the maximum of an `upto` payment. */
export const USED = 2_500n

/** The ways to pay on chains of the EVM, as the pages of x402 name them. */
export const EVM_METHODS = ['eip3009', 'permit2', 'permit2-approved', 'upto', 'auth-capture'] as const
export type EvmMethod = (typeof EVM_METHODS)[number]

/** The tokens of the chain of the EVM by what they can do. */
export type EvmToken = 'usdc' | 'legacy' | 'plain'
/** The mints by their program and extensions. */
export type SolanaToken = 'spl' | 'token2022' | 'fee' | 'hook'

export interface StockEnvironment extends Awaited<ReturnType<typeof startChains>> {
  readonly facilitator: Awaited<ReturnType<typeof testFacilitator>>
  /** Contracts that deploy wallets (ERC-6492): an allowed one. */
  readonly factory: `0x${string}`
}

/** Starts both chains with their tokens, and a facilitator that accepts all of them. */
export async function startStockEnvironment(stops: AsyncDisposableStack): Promise<StockEnvironment> {
  const chains = await startChains(stops)
  const { chain, solana, tokens, mints } = chains
  const factory = await deployFactory(chain)
  const feePayer = await solanaAccount(0)
  solana.ledger.setLamports(feePayer.address, 1_000_000_000n)
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey))
  const allowed = [
    ...[tokens.legacy.address, tokens.plain.address].map((token) => `84532=${token}`),
    ...Object.values(mints).map((mint) => `${solana.network}=${mint}`),
  ]
  const facilitator = await testFacilitator({
    chain,
    // Wallets are deployed and funded by account 9.
    signerKeys: [devAccount(7).privateKey],
    env: {
      CHAINS: `84532=${chain.rpcUrl},${solana.network}=${solana.rpcUrl}`,
      SOLANA_SIGNER_KEYS: encodeBase58(Buffer.concat([feePayerSeed(), publicKey])),
      ALLOWED_ASSETS: allowed.join(','),
      WALLET_FACTORIES: `84532=${factory}`,
    },
  })
  stops.defer(() => facilitator.close())
  return { ...chains, factory, facilitator }
}

async function startChains(stops: AsyncDisposableStack) {
  const [chain, solana] = await Promise.all([testChain(), startSolanaChain(stops)])
  const usdcDomain = { name: 'USDC', version: '2' }
  const tokens: Readonly<Record<EvmToken, { address: `0x${string}`; extra: object }>> = {
    usdc: { address: chain.token, extra: usdcDomain },
    legacy: { address: await deployContract(chain, hex(legacyUsdc.bytecode)), extra: usdcDomain },
    plain: {
      address: await deployContract(chain, hex(plainToken.bytecode)),
      extra: { name: 'Plain token', version: '1' },
    },
  }
  const [feeMint, hookMint, payTo] = await Promise.all([20, 21, 22].map(solanaAddress))
  if (!feeMint || !hookMint || !payTo) throw new Error('The accounts were not created')
  const mints: Readonly<Record<SolanaToken, SolanaAddress>> = {
    spl: solanaUsdc,
    token2022: solanaPyusd,
    fee: feeMint,
    hook: hookMint,
  }
  const shared = { program: TOKEN_2022_PROGRAM, decimals: 6 }
  solana.ledger.setMint(feeMint, { ...shared, extensions: [transferFee(1, 1_000n)] })
  solana.ledger.setMint(hookMint, { ...shared, extensions: [transferHook(solanaUsdc)] })
  for (const mint of Object.values(mints)) await solana.ledger.setTokens(mint, payTo, 0n)
  return { chain, solana, tokens, mints, payTo }
}

const solanaAddress = async (index: number) => (await solanaAccount(index)).address

/** The path at which a seller accepts a method with a token. */
export const pathOf = (method: string, token: string) => `/${method}/${token}`

/** The path at which a seller accepts payment channels. */
export const CHANNEL_PATH = '/batch-settlement/usdc'

function createRoutes(
  { tokens, mints, solana, payTo }: StockEnvironment,
  channelReceiver: string,
): RoutesConfig {
  const routes: RoutesConfig = {}
  for (const method of EVM_METHODS) {
    for (const [token, { address, extra }] of Object.entries(tokens)) {
      const transfer = method.startsWith('permit2') ? { assetTransferMethod: 'permit2' } : {}
      routes[pathOf(method, token)] = {
        accepts: {
          scheme: method === 'upto' || method === 'auth-capture' ? method : 'exact',
          network: EVM_NETWORK,
          payTo: SELLERS_WALLET,
          price: { amount: String(PRICE), asset: address, extra: { ...extra, ...transfer } },
        },
        ...(method === 'permit2-approved' && { extensions: declareEip2612GasSponsoringExtension() }),
      }
    }
  }
  for (const [token, asset] of Object.entries(mints)) {
    routes[pathOf('solana', token)] = {
      accepts: {
        scheme: 'exact',
        network: solana.network,
        payTo,
        price: { amount: String(PRICE), asset },
      },
    }
  }
  // One route for wallets of both chains.
  routes['/any'] = {
    accepts: [
      { scheme: 'exact', network: EVM_NETWORK, payTo: SELLERS_WALLET, price: '$0.01' },
      { scheme: 'exact', network: solana.network, payTo, price: '$0.01' },
    ],
  }
  routes[CHANNEL_PATH] = {
    accepts: { scheme: 'batch-settlement', network: EVM_NETWORK, payTo: channelReceiver, price: '$0.01' },
  }
  return routes
}

const OVERRIDES = JSON.stringify({ amount: String(USED) })
/** Returns the headers of a response. Only `upto` payments settle what was used. */
const headersOf = (path: string): Record<string, string> =>
  path.startsWith('/upto') ? { 'Settlement-Overrides': OVERRIDES } : {}

interface SellerSetup {
  readonly routes: RoutesConfig
  /** Creates the resource server with its schemes. */
  createServer(Server: typeof x402ResourceServer): x402ResourceServer
  /** Called whenever the handler runs. */
  onRun?(): void
}
type Serve = (setup: SellerSetup, stops: AsyncDisposableStack) => Promise<string>

/** The packages of sellers: how each serves the routes. */
export const SELLER_PACKAGES: Readonly<Record<string, Serve>> = {
  async '@x402/express'({ routes, createServer, onRun }, stops) {
    const app = express()
    app.use(expressPayments(routes, createServer(x402ResourceServer)))
    app.get('/*path', ({ path }, response) => {
      onRun?.()
      response.set(headersOf(path)).send('the report')
    })
    const { url, stop } = await serveSeller(app)
    stops.defer(stop)
    return url
  },
  async '@x402/hono'({ routes, createServer, onRun }, stops) {
    const app = new Hono()
    app.use(honoPayments(routes, createServer(x402ResourceServer)))
    app.get('/*', (context) => {
      onRun?.()
      return context.text('the report', 200, headersOf(context.req.path))
    })
    return serveApp(app, stops)
  },
  async '@x402/next'({ routes, createServer, onRun }, stops) {
    // It has its own version of `@x402/core`, with the same classes and other private fields.
    const server = createServer(NextResourceServer as never)
    const handle = withX402(
      async ({ nextUrl }) => {
        onRun?.()
        return new NextResponse('the report', { headers: headersOf(nextUrl.pathname) })
      },
      routes,
      server as never,
    )
    // Next calls a route's handler in this way. The request of Hono's server is none of the runtime.
    const app = new Hono()
    app.get('/*', ({ req }) => handle(new NextRequest(req.url, { headers: req.raw.headers })))
    return serveApp(app, stops)
  },
}

async function serveApp(app: Hono, stops: AsyncDisposableStack): Promise<string> {
  const listening = await listen(app, { port: 0 })
  stops.defer(() => listening.close(0))
  return listening.url
}

/** The seller's side of `auth-capture`, which no package has: it adds what the client signs to a price. */
function createAuthCaptureScheme(): SchemeNetworkServer {
  const exact = new ExactEvmScheme()
  const receiverAuthorizer = newAccount().address
  const deadline = Math.floor(Date.now() / 1000) + 86_400
  return {
    scheme: 'auth-capture',
    defaultAssetTransferMethod: exact.defaultAssetTransferMethod,
    paymentFlows: exact.paymentFlows,
    parsePrice: (price, network) => exact.parsePrice(price, network),
    enhancePaymentRequirements: async (requirements, kind) => ({
      ...requirements,
      extra: {
        ...requirements.extra,
        ...kind.extra,
        receiverAuthorizer,
        captureDeadline: deadline,
        refundDeadline: deadline,
        feeRecipient: zeroAddress,
        minFeeBps: 0,
        maxFeeBps: 0,
        captureMode: 'deferred',
      },
    }),
  }
}

/** Opens a seller of a package, for an account of the facilitator. Returns its URL. */
export async function openStockSeller(
  environment: StockEnvironment,
  packageName: string,
  { token }: { token: string },
  stops: AsyncDisposableStack,
): Promise<string> {
  const serve = SELLER_PACKAGES[packageName]
  if (serve === undefined) throw new Error(`There is no seller of ${packageName}`)
  const client = openFacilitatorClient(`${environment.facilitator.url}/x402`, token)
  const receiver = newAccount().address
  const createServer = (Server: typeof x402ResourceServer) =>
    new Server(client)
      .register(EVM_NETWORK, new ExactEvmScheme())
      .register(EVM_NETWORK, new UptoEvmScheme())
      .register(EVM_NETWORK, createAuthCaptureScheme())
      .register(
        EVM_NETWORK,
        new BatchSettlementEvmScheme(receiver, { receiverAuthorizerSigner: newAccount() }),
      )
      .register(environment.solana.network, new ExactSvmScheme())
  return serve({ routes: createRoutes(environment, receiver), createServer }, stops)
}
