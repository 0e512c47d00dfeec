// Breaks one thing while stock sellers and payers make a purchase, and compares the documented page with what
// happened to the money and the goods.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { ExactEvmScheme as PayerScheme } from '@x402/evm/exact/client'
import { ExactEvmScheme as SellerScheme } from '@x402/evm/exact/server'
import {
  appendPaymentIdentifierToExtensions,
  declarePaymentIdentifierExtension,
  generatePaymentId,
  paymentIdentifierResourceServerExtension,
} from '@x402/extensions/payment-identifier'
import { x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  startAnswerProxy,
  startFreezingNode,
} from '../../../packages/facilitator-server/src/e2e/testing-failing-path.ts'
import { openFacilitatorClient } from '../../../packages/facilitator-server/src/e2e/testing-sellers.ts'
import {
  settlePrice,
  type TestAccount,
  testFacilitator,
} from '../../../packages/facilitator-server/src/testing.ts'
import {
  FAILURES,
  type Failure,
  formatPage,
  type Observation,
  type ObservedPurchase,
} from './failures-page.ts'
import { PAYER_PACKAGES } from './stock-payers.ts'
import { PRICE, SELLER_PACKAGES } from './stock-sellers.ts'

const NETWORK = 'eip155:84532'
const SELLERS_WALLET = '0x00000000000000000000000000000000005e11f5'
const PAIRS = Object.keys(SELLER_PACKAGES).flatMap((seller) =>
  Object.keys(PAYER_PACKAGES).map((payer) => ({ seller, payer })),
)
type Pair = (typeof PAIRS)[number]

const stops = new AsyncDisposableStack()
afterAll(() => stops.disposeAsync())

/** A facilitator on a chain of its own, behind proxies that can fail. */
async function startEnvironment() {
  const chain = await testChain()
  const node = await startFreezingNode(chain.rpcUrl)
  stops.defer(() => node.close())
  const facilitator = await testFacilitator({
    chain: { ...chain, rpcUrl: node.url },
    signerKeys: [devAccount(7).privateKey],
    // The default of the server.
    env: { REPEAT_TIMEOUT_MS: '80000' },
  })
  stops.defer(() => facilitator.close())
  const isReserved = () =>
    vi.waitUntil(async () => (await facilitator.settlements()).length === PAIRS.length, { timeout: 60_000 })
  const answers = await startAnswerProxy(facilitator.url, isReserved)
  stops.defer(() => answers.close())
  const readBalance = (address: `0x${string}`) =>
    chain.client.readContract({
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'balanceOf',
      args: [address],
    })
  return { chain, node, facilitator, answers, readBalance }
}
type Environment = Awaited<ReturnType<typeof startEnvironment>>

/** A purchase of a payer at a seller, each by a package, with a payment identifier if `hasIdentifier`. */
async function openPurchase(environment: Environment, { seller, payer }: Pair, hasIdentifier: boolean) {
  const { facilitator, answers, chain, readBalance } = environment
  const account: TestAccount = await facilitator.account()
  const serve = SELLER_PACKAGES[seller]
  const wallet = privateKeyToAccount(generatePrivateKey())
  await chain.confirm(
    chain.client.writeContract({
      account: devAccount(9).address,
      address: chain.token,
      abi: devUsdcAbi,
      functionName: 'mint',
      args: [wallet.address, 100n * PRICE],
    }),
  )
  let runs = 0
  const accepts = { scheme: 'exact', network: NETWORK, payTo: SELLERS_WALLET, price: '$0.01' } as const
  const extensions = { 'payment-identifier': declarePaymentIdentifierExtension() }
  const headers: Record<string, string> = hasIdentifier ? { Prefer: 'repeat-success' } : {}
  const url = await serve?.(
    {
      routes: { '/report': { accepts, extensions } },
      createServer: (Server) =>
        new Server(openFacilitatorClient(`${answers.url}/x402`, account.token, headers))
          .register(NETWORK, new SellerScheme())
          .registerExtension(paymentIdentifierResourceServerExtension),
      onRun: () => {
        runs += 1
      },
    },
    stops,
  )
  let signed = ''
  const client = new x402Client()
    .register('eip155:*', new PayerScheme(wallet))
    .onBeforePaymentCreation(async ({ paymentRequired }) => {
      if (hasIdentifier)
        appendPaymentIdentifierToExtensions(paymentRequired.extensions ?? {}, generatePaymentId())
    })
    .onAfterPaymentCreation(async ({ paymentPayload }) => {
      signed = Buffer.from(JSON.stringify(paymentPayload)).toString('base64')
    })
  const pay = PAYER_PACKAGES[payer]?.(client)
  if (pay === undefined || url === undefined) throw new Error('There is no such package')
  // Sellers ask the facilitator what it supports when they are called first: here, before anything breaks.
  expect((await fetch(`${url}/report`)).status).toBe(402)
  const observe = async (response: Response): Promise<Observation> => ({
    status: response.status,
    isDelivered: (await response.text()) === 'the report',
    paid: Number((100n * PRICE - (await readBalance(wallet.address))) / PRICE),
    charged: Number(100n - (await facilitator.available(account)) / settlePrice),
    runs,
  })
  return {
    /** Buys with the stock payer. */
    buy: async () => observe(await pay(`${url}/report`)),
    /** Sends the last signed request once more, as it was. */
    repeat: async () => observe(await fetch(`${url}/report`, { headers: { 'PAYMENT-SIGNATURE': signed } })),
  }
}

/** Stops mining. Returns a function that mines again `seconds` after the purchases are being settled. */
async function delayBlocks(
  { chain, facilitator }: Environment,
  seconds: number,
): Promise<() => Promise<void>> {
  await chain.client.setAutomine(false)
  return async () => {
    await vi.waitUntil(async () => (await facilitator.settlements()).length === PAIRS.length, {
      timeout: 60_000,
    })
    await pause(seconds * 1000)
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
  }
}

async function loseAnswers({ answers }: Environment) {
  answers.mode = 'lose'
  return async () => {}
}

/** Breaks something before the purchases. The returned function ends once it works again, if it does. */
const BREAKS: Readonly<Record<Failure, (environment: Environment) => Promise<() => Promise<void>>>> = {
  'late-36': (environment) => delayBlocks(environment, 36),
  'late-100': (environment) => delayBlocks(environment, 100),
  'lost-answer': loseAnswers,
  'lost-answer-identifier': loseAnswers,
  async 'hang-up'(environment) {
    environment.answers.mode = 'hang-up'
    return delayBlocks(environment, 2)
  },
  async 'dead-node'({ node }) {
    node.freeze()
    return async () => {}
  },
}

/** Opens a purchase of each pair, with an environment of their own. */
async function openPurchases(failure: Failure) {
  const environment = await startEnvironment()
  const hasIdentifier = failure === 'lost-answer-identifier'
  const purchases: (Pair & Awaited<ReturnType<typeof openPurchase>>)[] = []
  for (const pair of PAIRS)
    purchases.push({ ...pair, ...(await openPurchase(environment, pair, hasIdentifier)) })
  return { environment, purchases }
}

/** Makes all purchases at once while something is broken, then repeats their requests. */
async function observe(
  failure: Failure,
  { environment, purchases }: Awaited<ReturnType<typeof openPurchases>>,
): Promise<ObservedPurchase[]> {
  const endFailure = await BREAKS[failure](environment)
  const [bought] = await Promise.all([
    Promise.all(purchases.map(async (purchase) => ({ purchase, first: await purchase.buy() }))),
    endFailure(),
  ])
  environment.answers.mode = 'pass'
  environment.node.thaw()
  return Promise.all(
    bought.map(async ({ purchase, first }) => {
      const { seller, payer } = purchase
      return { seller, payer, first, repeated: await purchase.repeat() }
    }),
  )
}

/** A block that is 100 s late is waited for at night only. */
const isObserved = (failure: Failure) => failure !== 'late-100' || process.env.LATE_BLOCKS === 'all'
const failures = (Object.keys(FAILURES) as Failure[]).filter(isObserved)
const observed = new Map<Failure, readonly ObservedPurchase[]>()
beforeAll(async () => {
  const opened: [Failure, Awaited<ReturnType<typeof openPurchases>>][] = []
  for (const failure of failures) opened.push([failure, await openPurchases(failure)])
  await Promise.all(
    opened.map(async ([failure, purchases]) => {
      observed.set(failure, await observe(failure, purchases))
    }),
  )
}, 240_000)

const find = (failure: Failure, pair: Pair): ObservedPurchase => {
  const found = observed
    .get(failure)
    ?.find(({ seller, payer }) => seller === pair.seller && payer === pair.payer)
  if (found === undefined) throw new Error('The purchase was not observed')
  return found
}
const DELIVERED_ONCE = { status: 200, isDelivered: true, paid: 1, charged: 1, runs: 1 }

describe.each(PAIRS)('a seller on $seller and a payer with $payer', (pair) => {
  it.each((['late-36', 'late-100'] as const).filter(isObserved))(
    'deliver a purchase once if %s',
    (failure) => {
      const { first, repeated } = find(failure, pair)
      expect(first).toEqual(DELIVERED_ONCE)
      expect(repeated).toMatchObject({ isDelivered: false, paid: 1, charged: 1, runs: 1 })
    },
  )

  it('deliver to the same signed request what was paid when the seller hung up', () => {
    const { first, repeated } = find('hang-up', pair)
    expect(first.isDelivered).toBe(false)
    expect(repeated).toMatchObject({ status: 200, isDelivered: true, paid: 1, charged: 1 })
  })

  it('never pay twice for a purchase whose answer was lost', () => {
    expect(find('lost-answer', pair).repeated).toMatchObject({ paid: 1, charged: 1 })
  })

  it('deliver to the same signed request with a payment identifier what was paid when the answer was lost', () => {
    const { first, repeated } = find('lost-answer-identifier', pair)
    expect(first.isDelivered).toBe(false)
    expect(repeated).toMatchObject({ status: 200, isDelivered: true, paid: 1, charged: 1 })
  })

  it('neither pay nor work while no node answers, and buy when one answers again', () => {
    const { first, repeated } = find('dead-node', pair)
    expect(first).toMatchObject({ isDelivered: false, paid: 0, charged: 0, runs: 0 })
    expect(repeated).toEqual(DELIVERED_ONCE)
  })
})

it('what happened to the purchases is the page docs/x402-failures.md, which vitest --update writes with LATE_BLOCKS=all', async () => {
  const page = join(import.meta.dirname, '../../x402-failures.md')
  if (isObserved('late-100')) return await expect(formatPage(observed)).toMatchFileSnapshot(page)
  const lines = (await readFile(page, 'utf8')).split('\n')
  const shown = lines.filter((line) => !line.startsWith(`| ${FAILURES['late-100']} |`))
  expect(formatPage(observed)).toBe(shown.join('\n'))
})
