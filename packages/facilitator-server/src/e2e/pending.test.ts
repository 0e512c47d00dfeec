import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { toTransferArguments } from '../engine/testing-execution.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const relayer = chain.as(9)
type Body = Awaited<ReturnType<typeof signedBody>>

/** An upstream with a configurable response. It cannot settle. */
const upstream = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  calls += 1
  await behave(response, JSON.parse(Buffer.concat(chunks).toString()) as Body)
})
let calls = 0
let behave: (response: ServerResponse, body: Body) => unknown = () => {}
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const address = upstream.address()
if (address === null || typeof address === 'string') throw new Error('the upstream has no port')

const facilitator = await testFacilitator({
  chain,
  env: { UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`, UPSTREAM_TIMEOUT_MS: '300' },
})
afterAll(async () => {
  await facilitator.close()
  upstream.closeAllConnections()
  upstream.close()
})

const respondWith =
  (status: number, body: unknown) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

/** Makes the payment on the chain, as an upstream would. */
async function submit(body: Body): Promise<string> {
  const hash = await relayer.writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'transferWithAuthorization',
    args: toTransferArguments(body),
  })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}

const lost: [string, typeof behave][] = [
  ['hangs', () => {}],
  ['resets the connection', (response) => response.socket?.resetAndDestroy()],
  ['fails', respondWith(500, { success: false, errorReason: 'unexpected_settle_error' })],
  ['is away behind a proxy', respondWith(502, '<html>Bad gateway</html>')],
  ['responds 200 without JSON', respondWith(200, 'ok')],
  ['responds 200 with truncated JSON', respondWith(200, '{"success": tr')],
  ['responds 200 with success but without a transaction', respondWith(200, { success: true })],
  [
    'responds 200 with an unknown outcome',
    respondWith(200, {
      success: false,
      errorReason: 'unexpected_settle_error',
      transaction: '',
      network: 'eip155:84532',
    }),
  ],
]
test.each(lost)(
  'when the upstream %s, the settle responds with 503, keeps the price reserved and calls the upstream once',
  async (_, behavior) => {
    const account = await facilitator.account()
    const body = await signedBody({ account: payer })
    behave = behavior
    calls = 0
    for (const attempt of [1, 2]) {
      const response = await facilitator.post('/settle', body, account.token)
      expect([attempt, response.status]).toEqual([attempt, 503])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await response.json()).toEqual({ error: 'SettlementPending' })
    }
    const below = await facilitator.post('/x402/settle', body, account.token)
    expect(below.status).toBe(200)
    expect(await below.json()).toMatchObject({ success: false, errorReason: 'settlement_pending' })
    expect(calls).toBe(1)
    expect(await facilitator.available(account)).toBe(99n * settlePrice)
    expect((await facilitator.settlements()).at(-1)).toMatchObject({ state: 'unknown', hold: 'held' })
  },
)

test('delivers a pending payment that was made once, to the first repeat, and charges it once', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  let transaction = ''
  behave = async (response, sent) => {
    transaction = await submit(sent)
    response.socket?.destroy()
  }
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(503)
  const repeatSettle = async () => {
    const response = await facilitator.post('/settle', body, account.token)
    return { status: response.status, settlement: response.headers.get('payment-response') }
  }
  let found = await repeatSettle()
  while (found.status === 503) found = await repeatSettle()
  expect(found.status).toBe(200)
  expect(JSON.parse(Buffer.from(found.settlement ?? '', 'base64').toString())).toMatchObject({
    success: true,
    transaction,
  })
  expect((await repeatSettle()).status).toBe(400)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('an upstream’s refusal before broadcast responds with 400 and its reason, and releases the price', async () => {
  const account = await facilitator.account()
  behave = respondWith(400, { success: false, errorReason: 'insufficient_funds', transaction: '' })
  const response = await facilitator.post('/settle', await signedBody({ account: payer }), account.token)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'insufficient_funds' })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
})

test('an upstream’s 2xx without success is charged, as the specification requires', async () => {
  const account = await facilitator.account()
  behave = respondWith(200, {
    success: false,
    errorReason: 'insufficient_funds',
    transaction: '',
    network: 'eip155:84532',
  })
  const response = await facilitator.post('/settle', await signedBody({ account: payer }), account.token)
  expect(response.status).toBe(400)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})

test('a payment that verification refuses never reaches the upstream', async () => {
  const { token } = await facilitator.account()
  calls = 0
  const response = await facilitator.post(
    '/settle',
    await signedBody({ account: payer, name: 'Coin' }),
    token,
  )
  expect(response.status).toBe(400)
  expect(calls).toBe(0)
})
