// What operators read: readiness, metrics and alerts.

import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { Client } from 'pg'
import { parseEther } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, expect, test, vi } from 'vitest'
import { randomKey } from '../chains/evm/testing.ts'
import { signedBody } from '../engine/testing.ts'
import { readLastAudit } from '../operations/audit/audit.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const [rich, poor] = [randomKey(), randomKey()]
await chain.client.setBalance({ address: privateKeyToAddress(rich as `0x${string}`), value: parseEther('1') })
const facilitator = await testFacilitator({ chain: { ...chain, rpcUrl: node.url }, signerKeys: [rich, poor] })
afterAll(async () => {
  await facilitator.close()
  node.close()
})
const WAIT = { timeout: 60_000, interval: 200 }
const readReadiness = async () => {
  const response = await fetch(`${facilitator.url}/ready`)
  return { status: response.status, body: await response.json() }
}

test('logs an alert for a signer without gas, and none for the others', async () => {
  const alerts = () =>
    facilitator.log
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ alert, level }) => alert === 'signer_balance' && level === 50)
  await vi.waitFor(() => expect(alerts()).not.toEqual([]), WAIT)
  const address = privateKeyToAddress(poor as `0x${string}`).toLowerCase()
  expect(alerts()).toMatchObject([
    { signer: `84532/${address}`, value: 0, msg: 'A signer has little left for gas' },
  ])
})

test('stays ready and healthy while its chain does not respond, and names the chain', async () => {
  const network = 'eip155:84532'
  const ready = { status: 'ok', version: expect.any(String) }
  expect(await readReadiness()).toEqual({
    status: 200,
    body: { ...ready, chains: { readable: [network], unreadable: [], unresponsiveNodes: [] } },
  })
  node.interfere = () => 'hang up'
  await vi.waitFor(async () => {
    expect(await readReadiness()).toEqual({
      status: 200,
      body: {
        ...ready,
        chains: { readable: [], unreadable: [network], unresponsiveNodes: [{ network, node: 1 }] },
      },
    })
  }, WAIT)
  expect((await fetch(`${facilitator.url}/health`)).status).toBe(200)
  expect(await facilitator.metrics()).toContain(
    'mintmark_facilitator_chain_readable{chain="eip155:84532"} 0\n',
  )
  node.interfere = () => undefined
  await vi.waitFor(async () => {
    expect(await facilitator.metrics()).toContain(
      'mintmark_facilitator_chain_readable{chain="eip155:84532"} 1\n',
    )
  }, WAIT)
})

test('is not ready but healthy while it shuts down, until its listener has closed', async () => {
  const env = { SHUTDOWN_DELAY_MS: '2000', SHUTDOWN_IDLE_MS: '0' }
  const stopping = await testFacilitator({ chain, signerKeys: [rich], env })
  const read = async (path: string) => (await fetch(`${stopping.url}${path}`)).status
  try {
    expect([await read('/ready'), await read('/health')]).toEqual([200, 200])
    const shutdown = stopping.shutdown()
    expect([await read('/ready'), await read('/health')]).toEqual([503, 200])
    await shutdown
    await expect(read('/health')).rejects.toThrow()
  } finally {
    await stopping.close()
  }
})

test('many readiness checks share one request to a node', async () => {
  const count = () => node.calls.filter((method) => method === 'eth_getBlockByNumber').length
  const responses = Promise.all(Array.from({ length: 50 }, readReadiness))
  const before = count()
  await responses
  // The jobs of the server read blocks too.
  expect(count() - before).toBeLessThan(10)
})

test('audits its settlements as one of its jobs, unless AUDIT_INTERVAL_SECONDS is 0', async () => {
  const audited = await testFacilitator({ chain, signerKeys: [rich], env: { AUDIT_INTERVAL_SECONDS: '60' } })
  try {
    await audited.runJobs()
    expect(await readLastAudit(audited.db)).toMatchObject({ ageSeconds: expect.any(Number) })
  } finally {
    await audited.close()
  }
  await facilitator.runJobs()
  expect(await readLastAudit(facilitator.db)).toBeUndefined()
})

test('sends nothing and charges nothing while the base fee is above MAX_FEE_PER_GAS of the chain', async () => {
  const capped = await testFacilitator({
    chain,
    signerKeys: [rich],
    env: { MAX_FEE_PER_GAS: '84532=7,1=900' },
  })
  try {
    const account = await capped.account()
    const body = await signedBody({ account: devAccount(1) })
    const response = await capped.post('/settle', body, account.token)
    expect([response.status, await response.json()]).toEqual([503, { error: 'SettlementNotSent' }])
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await capped.settlements()).toMatchObject([
      { state: 'not_sent', hold: 'released', message: expect.stringContaining('MAX_FEE_PER_GAS') },
    ])
    expect(await capped.available(account)).toBe(100n * settlePrice)
  } finally {
    await capped.close()
  }
})

test('is neither ready nor healthy while its database is read-only, and says so', async () => {
  // Only new connections are read-only, so those from before are ended.
  const setReadOnly = async (value: 'on' | 'off') => {
    const { pathname } = new URL(facilitator.databaseUrl)
    const owner = new Client({ connectionString: facilitator.databaseUrl })
    await owner.connect()
    await owner.query('set default_transaction_read_only = off')
    await owner.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = ${value}`)
    await owner.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await owner.end()
  }
  await setReadOnly('on')
  // A check of the database that was under way when its connection ended says so first.
  await vi.waitFor(
    async () =>
      expect(await readReadiness()).toMatchObject({
        status: 503,
        body: { status: 'The database is read-only' },
      }),
    WAIT,
  )
  expect((await fetch(`${facilitator.url}/health`)).status).toBe(503)
  await setReadOnly('off')
  await vi.waitFor(async () => expect((await readReadiness()).status).toBe(200), WAIT)
})
