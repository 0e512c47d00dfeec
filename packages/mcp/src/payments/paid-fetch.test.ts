import { generatePrivateKey } from 'viem/accounts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMcpApplication, type McpApplication, type PaymentSettings } from '../application.ts'
import { connectInMemory, type TestClient } from '../testing/connect.ts'
import { ASSET_KEY, PRICE, type Seller, type SellerBehavior, startSeller } from '../testing/seller.ts'

let stops: AsyncDisposableStack
let seller: Seller
beforeEach(async () => {
  stops = new AsyncDisposableStack()
  seller = await startSeller(stops)
})
afterEach(() => stops.disposeAsync())

const privateKey = generatePrivateKey()

async function startApplication(settings: Partial<PaymentSettings> = {}): Promise<McpApplication> {
  const application = await createMcpApplication({
    facilitator: { baseUrl: 'http://127.0.0.1:1' },
    stateFile: ':memory:',
    payments: {
      privateKey,
      hosts: ['127.0.0.1'],
      allowPrivate: true,
      budgets: { day: new Map([[ASSET_KEY, 10_000n]]), session: new Map() },
      ...settings,
    },
  })
  stops.defer(() => application.close())
  return application
}

const connect = async (settings?: Partial<PaymentSettings>): Promise<TestClient> =>
  await connectInMemory(await startApplication(settings))

/** Returns what is spent or reserved today. */
async function getUsed(session: TestClient): Promise<string> {
  const { data } = await session.call('get_budget')
  const [budget] = data as readonly { readonly usedToday: string }[]
  return budget?.usedToday ?? ''
}

it('fetch_paid_url pays the price once, and returns the content of the first call when it is repeated', async () => {
  const session = await connect()
  const args = { url: `${seller.url}/article` }
  const first = await session.call('fetch_paid_url', args)
  expect(first.data).toMatchObject({
    status: 200,
    body: 'the article',
    payment: { asset: ASSET_KEY, amount: '1000', payTo: PRICE.payTo, transaction: `0x${'e'.repeat(64)}` },
  })
  expect((await session.call('fetch_paid_url', args)).data).toEqual(first.data)
  expect(seller.payments.map(({ value }) => value)).toEqual([1000n])
  await session.call('fetch_paid_url', { ...args, intent: 'the next issue' })
  expect(seller.payments).toHaveLength(2)
  expect(await getUsed(session)).toBe('2000')
})

it('fetch_paid_url pays nothing for a URL without a price', async () => {
  const session = await connect()
  const { data } = await session.call('fetch_paid_url', { url: `${seller.url}/free` })
  expect(data).toEqual({ status: 200, contentType: 'text/plain', body: 'free' })
  expect(await getUsed(session)).toBe('0')
})

it('fetch_paid_url spends exactly the budget under 100 concurrent callers', async () => {
  const session = await connect()
  const calls = Array.from({ length: 100 }, (_, index) =>
    session.call('fetch_paid_url', { url: `${seller.url}/article/${index}` }),
  )
  const results = await Promise.all(calls)
  expect(results.filter(({ isError }) => !isError)).toHaveLength(10)
  expect(new Set(results.flatMap(({ error }) => error?.kind ?? []))).toEqual(new Set(['BudgetExceeded']))
  expect(seller.payments.reduce((sum, { value }) => sum + value, 0n)).toBe(10_000n)
  expect(await getUsed(session)).toBe('10000')
})

it('fetch_paid_url limits each session by its own budget', async () => {
  const session = await connect({
    budgets: { day: new Map([[ASSET_KEY, 10_000n]]), session: new Map([[ASSET_KEY, 1500n]]) },
  })
  expect((await session.call('fetch_paid_url', { url: `${seller.url}/1` })).isError).toBe(false)
  const { error } = await session.call('fetch_paid_url', { url: `${seller.url}/2` })
  expect(error).toMatchObject({ kind: 'BudgetExceeded', message: expect.stringContaining('the session') })
  expect(seller.payments).toHaveLength(1)
})

it.each<SellerBehavior>(['breaks off', 'requests payment again', 'redirects'])(
  'fetch_paid_url keeps the amount reserved and pays nothing again when the seller %s',
  async (behavior) => {
    const session = await connect()
    seller.behavior = behavior
    for (let call = 0; call < 3; call += 1) {
      const { error } = await session.call('fetch_paid_url', { url: `${seller.url}/article` })
      expect(error?.kind).toBe('UnknownOutcome')
    }
    expect(seller.payments).toHaveLength(1)
    expect(await getUsed(session)).toBe('1000')
  },
)

it('fetch_paid_url counts a payment without a receipt', async () => {
  const session = await connect()
  seller.behavior = 'delivers without receipt'
  expect((await session.call('fetch_paid_url', { url: `${seller.url}/1` })).isError).toBe(false)
  expect(await getUsed(session)).toBe('1000')
})

it.each([
  ['another asset', { asset: `0x${'9'.repeat(40)}` }],
  ['another network', { network: 'eip155:1' as const }],
  ['another scheme', { scheme: 'upto' }],
  ['an allowance instead of a transfer', { extra: { ...PRICE.extra, assetTransferMethod: 'permit2' } }],
  ['a negative amount', { amount: '-1000' }],
])('fetch_paid_url signs nothing for %s', async (_, change) => {
  const session = await connect()
  seller.requirements = [{ ...PRICE, ...change }]
  const { error } = await session.call('fetch_paid_url', { url: `${seller.url}/article` })
  expect(error?.kind).toBe('PaymentUnsupported')
  expect(seller.payments).toEqual([])
  expect(await getUsed(session)).toBe('0')
})

it('fetch_paid_url signs nothing for a price beyond maxAmount, and pays when the limit is raised', async () => {
  const session = await connect()
  const args = { url: `${seller.url}/article` }
  const { error } = await session.call('fetch_paid_url', { ...args, maxAmount: '999' })
  expect(error?.kind).toBe('PriceTooHigh')
  expect((await session.call('fetch_paid_url', { ...args, maxAmount: '1000' })).isError).toBe(false)
})

it('fetch_paid_url requires a confirmation that is bound to the price when payments must be confirmed', async () => {
  const session = await connect({ confirm: true })
  const args = { url: `${seller.url}/article` }
  const refused = await session.call('fetch_paid_url', args)
  expect(refused.error).toMatchObject({ kind: 'ConfirmationRequired', confirmation: expect.any(String) })
  const confirmed = { ...args, confirmation: refused.error?.confirmation }
  seller.requirements = [{ ...PRICE, amount: '2000' }]
  expect((await session.call('fetch_paid_url', confirmed)).error?.kind).toBe('ConfirmationRequired')
  seller.requirements = [PRICE]
  expect((await session.call('fetch_paid_url', confirmed)).isError).toBe(false)
  expect(seller.payments.map(({ value }) => value)).toEqual([1000n])
})

it('fetch_paid_url can be confirmed after another session requested the same meanwhile', async () => {
  const application = await startApplication({ confirm: true })
  const [session, other] = [await connectInMemory(application), await connectInMemory(application)]
  const args = { url: `${seller.url}/article` }
  const requests = Promise.all([session.call('fetch_paid_url', args), other.call('fetch_paid_url', args)])
  const confirmation = (await requests)
    .map(({ error }) => error?.confirmation)
    .find((each) => each !== undefined)
  expect(confirmation).toBeDefined()
  const confirmed = await Promise.all(
    [session, other].map((each) => each.call('fetch_paid_url', { ...args, confirmation })),
  )
  expect(confirmed.filter(({ isError }) => !isError)).toHaveLength(1)
  expect(seller.payments).toHaveLength(1)
})

it('fetch_paid_url reads a long response up to its limit', async () => {
  const session = await connect({ maxResponseBytes: 100 })
  seller.content = 'x'.repeat(1_000_000)
  const { data } = await session.call('fetch_paid_url', { url: `${seller.url}/article` })
  expect(data).toMatchObject({ body: 'x'.repeat(100), note: expect.stringContaining('longer') })
})

it('fetch_paid_url refuses hosts that are not allowed, private addresses and plain http', async () => {
  const strict = await connect({ allowPrivate: false, hosts: ['127.0.0.1', 'localhost', '*.example.com'] })
  const urls = [
    [`${seller.url}/article`, 'https'],
    ['https://127.0.0.1/', 'not a public address'],
    ['https://2130706433/', 'not a public address'],
    ['https://example.org/', 'not an allowed host'],
    ['https://evil-example.com/', 'not an allowed host'],
    ['https://user:password@www.example.com/', 'credentials'],
    ['https://localhost/', 'not public'],
  ]
  for (const [url, message] of urls) {
    const { error } = await strict.call('fetch_paid_url', { url })
    expect(error?.message, url).toContain(message)
  }
  expect(seller.payments).toEqual([])
})

it('fetch_paid_url never shows the private key', async () => {
  const session = await connect()
  seller.content = `the key is ${privateKey}`
  const { text } = await session.call('fetch_paid_url', { url: `${seller.url}/article` })
  expect(text).toContain('***')
  expect(text).not.toContain(privateKey)
})
