// The limits of a running facilitator are those of its configuration.

import { once } from 'node:events'
import { connect } from 'node:net'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_GAS_CAPS } from '../chains/evm/settings/gas-caps.ts'
import { signedBody } from '../engine/testing.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const chain = await testChain()
const signerKeys = [devAccount(9).privateKey]
const facilitator = await testFacilitator({
  chain,
  signerKeys,
  env: {
    DATABASE_STATEMENT_TIMEOUT_MS: '2000',
    MAX_AUTHORIZATION_SECONDS: '300',
    METRICS_PORT: '0',
  },
  configuration: { gasCaps: { ...DEFAULT_GAS_CAPS, key: 50_000n } },
})
afterAll(() => facilitator.close())

/** Asserts that a settle is refused with a reason, and that nothing is charged. */
async function expectRefused(body: object, reason: string): Promise<void> {
  const account = await facilitator.account()
  const response = await facilitator.post('/settle', body, account.token)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: reason })
  expect(await facilitator.available(account)).toBe(100n * settlePrice)
}

test('responds 503 with Retry-After when a statement exceeds DATABASE_STATEMENT_TIMEOUT_MS', async () => {
  const { token } = await facilitator.account()
  const list = () => fetch(`${facilitator.url}/webhooks`, { headers: { authorization: `Bearer ${token}` } })
  expect((await list()).status).toBe(200)
  const owner = new Client({ connectionString: facilitator.databaseUrl })
  await owner.connect()
  onTestFinished(() => owner.end())
  await owner.query('begin')
  await owner.query('lock table facilitator.webhooks in access exclusive mode')
  const response = await list()
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('1')
  await owner.query('rollback')
  expect((await list()).status).toBe(200)
})

test('refuses an authorization that ends later than MAX_AUTHORIZATION_SECONDS from now', async () => {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 600)
  await expectRefused(
    await signedBody({ account: devAccount(1), validBefore }),
    'invalid_exact_evm_payload_authorization_valid_before',
  )
})

test('refuses a payment that needs more gas than a settlement may use', async () => {
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 200)
  await expectRefused(
    await signedBody({ account: devAccount(1), validBefore }),
    'invalid_exact_evm_transaction_simulation_failed',
  )
})

test('serves its metrics on METRICS_PORT alone', async () => {
  const headers = { authorization: `Bearer ${facilitator.env.METRICS_TOKEN}` }
  expect(await facilitator.metrics()).not.toContain('mintmark_facilitator_')
  const line = facilitator.log.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'metrics')
  const response = await fetch(line.url, { headers })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('mintmark_facilitator_')
})

test('accepts no connection beyond MAX_CONNECTIONS', async () => {
  const small = await testFacilitator({ chain, signerKeys, env: { MAX_CONNECTIONS: '1' } })
  try {
    const { port } = new URL(small.url)
    const first = connect(Number(port), '127.0.0.1')
    first.write('GET /health HTTP/1.1\r\nhost: here\r\n\r\n')
    expect(String(await once(first, 'data'))).toContain('200 OK')
    const second = connect(Number(port), '127.0.0.1')
    second.write('GET /health HTTP/1.1\r\nhost: here\r\n\r\n')
    let received = ''
    second.on('data', (chunk) => {
      received += chunk
      second.destroy()
    })
    second.on('error', () => {})
    await once(second, 'close')
    expect(received).toBe('')
    first.destroy()
  } finally {
    await small.close()
  }
})
