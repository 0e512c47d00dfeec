import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
afterAll(() => facilitator.close())

test.each([
  ['without a key', {}],
  ['with an unknown key', { authorization: 'Bearer unknown' }],
])(
  'a call whose body never ends is 401 before its body is read, and its connection is closed: %s',
  async (_, headers) => {
    const call = request(`${facilitator.url}/settle`, { method: 'POST', headers })
    // The server closes the connection while the body is still being sent.
    call.on('error', () => {})
    call.write('{"x402Version":')
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    const closed = once(response.socket, 'close')
    response.resume()
    expect(response.statusCode).toBe(401)
    expect(response.headers.connection).toBe('close')
    await closed
  },
)

test('a text that is too long is refused as an Idempotency-Key', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: devAccount(1) })
  const headers = { 'idempotency-key': 'x'.repeat(256) }
  const answer = await facilitator.post('/settle', body, account.token, headers)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
  expect(await facilitator.settlements()).toEqual([])
})

test('refuses guessed keys of one address with 429, while a good key still passes', async () => {
  const account = await facilitator.account()
  const list = (token: string) =>
    fetch(`${facilitator.url}/webhooks`, { headers: { authorization: `Bearer ${token}` } })
  expect((await list(account.token)).status).toBe(200)
  const statuses = new Set<number>()
  for (let guess = 0; guess < 200; guess++) statuses.add((await list(`guess-${guess}`)).status)
  expect([...statuses].sort()).toEqual([401, 429])
  expect((await list(account.token)).status).toBe(200)
})
