// Checks the specification's settle with a client that knows nothing else.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { hex, seller, signedBody } from '../engine/testing.ts'
import { freezeAccount } from '../ledger/accounts/accounts.ts'
import { revokeKey } from '../ledger/accounts/keys.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

const balanceOf = (address: string) =>
  chain.client.readContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'balanceOf',
    args: [hex(address)],
  })
const settlementOf = (response: Response): unknown =>
  JSON.parse(Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString())
const settlementCount = async () => (await facilitator.settlements()).length

test('a settled payment responds with 200, an empty body, and the settlement in PAYMENT-RESPONSE', async () => {
  const account = await facilitator.account()
  const before = await balanceOf(seller)
  const response = await facilitator.post(
    '/settle',
    await signedBody({ account: payer, value: 12_345n }),
    account.token,
  )
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
  expect(settlementOf(response)).toEqual({
    success: true,
    payer: payer.address.toLowerCase(),
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    network: 'eip155:84532',
    amount: '12345',
  })
  expect((await balanceOf(seller)) - before).toBe(12_345n)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a payment that was already settled responds with 400, the reason and its transaction, and is not charged again', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const first = await facilitator.post('/settle', body, account.token)
  const { transaction } = settlementOf(first) as { transaction: string }
  const rows = await settlementCount()
  const again = await facilitator.post('/settle', body, account.token)
  expect(again.status).toBe(400)
  expect(again.headers.get('payment-response')).toBeNull()
  expect(await again.json()).toEqual({
    error: 'duplicate_settlement',
    payer: payer.address.toLowerCase(),
    message: expect.stringContaining(transaction),
  })
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
  expect(await settlementCount()).toBe(rows)
})

test('a retry with the Idempotency-Key of the first call gets the first response', async () => {
  const { token } = await facilitator.account()
  const body = await signedBody({ account: payer })
  const settle = (key: string) => facilitator.post('/settle', body, token, { 'idempotency-key': key })
  const first = await settle('order-7')
  const again = await settle('order-7')
  expect(again.status).toBe(200)
  expect(settlementOf(again)).toEqual(settlementOf(first))
  expect((await settle('order-8')).status).toBe(400)
})

test('the same authorization from another account or with another signature is a conflict', async () => {
  const [mine, other] = [await facilitator.account(), await facilitator.account()]
  const body = await signedBody({ account: payer })
  expect((await facilitator.post('/settle', body, mine.token)).status).toBe(200)
  const stolen = await facilitator.post('/settle', body, other.token)
  expect(stolen.status).toBe(400)
  expect(await stolen.json()).toMatchObject({ error: 'duplicate_settlement' })
  expect(await facilitator.available(other)).toBe(100n * settlePrice)
  const { payload } = body.paymentPayload
  const resigned = {
    ...body,
    paymentPayload: { ...body.paymentPayload, payload: { ...payload, signature: `0x${'22'.repeat(65)}` } },
  }
  expect((await facilitator.post('/settle', resigned, mine.token)).status).toBe(400)
})

const poor = devAccount(5)
const inTheFuture = () => BigInt(Math.floor(Date.now() / 1000) + 100_000)
const refusals: [string, string, () => Promise<unknown>][] = [
  [
    'a signature that is not the payer’s',
    'invalid_exact_evm_payload_signature',
    () => signedBody({ account: devAccount(2), from: payer.address }),
  ],
  [
    'an authorization that expired',
    'invalid_exact_evm_payload_authorization_valid_before',
    () => signedBody({ account: payer, validBefore: 1_700_000_000n }),
  ],
  [
    'an authorization that stays valid for longer than a day',
    'invalid_exact_evm_payload_authorization_valid_before',
    () => signedBody({ account: payer, validBefore: 4_000_000_000n }),
  ],
  [
    'an authorization that is not valid yet',
    'invalid_exact_evm_payload_authorization_valid_after',
    () => signedBody({ account: payer, validAfter: inTheFuture(), validBefore: inTheFuture() + 600n }),
  ],
  [
    'a payer who has less than the amount',
    'insufficient_funds',
    () => signedBody({ account: poor, value: 10n ** 15n }),
  ],
]
test.each(refusals)('%s is 400 %s, and nothing is stored or charged', async (_, reason, body) => {
  const account = await facilitator.account()
  const rows = await settlementCount()
  const response = await facilitator.post('/settle', await body(), account.token)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: reason,
    message: expect.any(String),
    payer: expect.stringMatching(/^0x[0-9a-f]{40}$/),
  })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
  expect(await settlementCount()).toBe(rows)
})

test.each([
  ['none', {}],
  ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }],
  ['no token', { authorization: 'Bearer ' }],
  ['an unknown token', { authorization: 'Bearer mm_guess' }],
  ['an unknown token', { authorization: `Bearer mm_${'A'.repeat(43)}` }],
  ['garbage', { authorization: 'ÿ\u0001¿ %% , ' }],
  ['far too much', { authorization: `Bearer ${'A'.repeat(8000)}` }],
])('an Authorization header of %s responds with exactly 401 Unauthorized', async (_, headers) => {
  const rows = await settlementCount()
  const body = await signedBody({ account: payer })
  const sent: Record<string, string> = { ...headers }
  if (sent.authorization?.includes('\u0001')) sent.authorization = 'ÿ¿ %% , '
  const response = await facilitator.post('/settle', body, undefined, sent)
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ error: 'Unauthorized' })
  expect(await settlementCount()).toBe(rows)
})

test('a revoked key responds with 401', async () => {
  const { token, keyId } = await facilitator.account()
  await revokeKey(facilitator.db, keyId)
  const response = await facilitator.post('/settle', await signedBody({ account: payer }), token)
  expect(response.status).toBe(401)
  expect(await response.json()).toEqual({ error: 'Unauthorized' })
})

test.each([
  ['the balance', { settles: 0, quota: 100 }],
  ['the quota', { settles: 100, quota: 0 }],
])('%s short is exactly 402 InsufficientBalance', async (_, means) => {
  const { token } = await facilitator.account(means)
  const rows = await settlementCount()
  const response = await facilitator.post('/settle', await signedBody({ account: payer }), token)
  expect(response.status).toBe(402)
  expect(await response.json()).toEqual({ error: 'InsufficientBalance' })
  expect(await settlementCount()).toBe(rows)
})

test('a frozen account cannot pay', async () => {
  const { id, token } = await facilitator.account()
  await freezeAccount(facilitator.db, id, { actor: 'alice', reason: 'test' })
  expect((await facilitator.post('/settle', await signedBody({ account: payer }), token)).status).toBe(402)
})

test('returns from verify what settle would return, without changes', async () => {
  const account = await facilitator.account()
  const rows = await settlementCount()
  const verify = async (body: unknown, token = account.token) => facilitator.post('/verify', body, token)
  const valid = await verify(await signedBody({ account: payer }))
  expect(valid.status).toBe(200)
  expect(await valid.json()).toEqual({ valid: true, payer: payer.address.toLowerCase() })
  const invalid = await verify(await signedBody({ account: poor, value: 10n ** 15n }))
  expect(invalid.status).toBe(200)
  expect(await invalid.json()).toMatchObject({ valid: false, reason: 'insufficient_funds' })
  const { token } = await facilitator.account({ settles: 0 })
  const short = await verify(await signedBody({ account: payer }), token)
  expect(short.status).toBe(402)
  expect(await short.json()).toEqual({ error: 'InsufficientBalance' })
  expect(await settlementCount()).toBe(rows)
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
})

test('serves health, supported and the signing domain without a key', async () => {
  for (const path of ['/health', '/supported', '/payer-quotas/signing-domain', '/x402/supported']) {
    expect((await fetch(`${facilitator.url}${path}`)).status).toBe(200)
  }
  expect(await (await fetch(`${facilitator.url}/health`)).json()).toMatchObject({
    status: 'ok',
    chains: ['eip155:84532'],
  })
})
