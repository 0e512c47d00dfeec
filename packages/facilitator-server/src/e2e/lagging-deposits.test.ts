import { faultyNode } from '@mintmark/server-kit/testing'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { devAccount } from '../../../../tools/devchain/accounts.ts'
import { testChain } from '../../../../tools/devchain/testing.ts'
import { getAccount } from '../accounts/accounts.ts'
import { checkLedger } from '../ledger/check.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await faultyNode(chain.rpcUrl)
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
})
const { db } = facilitator
const account = await facilitator.account({ payer: devAccount(1).address, settles: 0 })
afterEach(async () => {
  node.catchUp()
  node.lags = () => true
  expect((await checkLedger(db)).problems).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const WAIT = { timeout: 20_000, interval: 50 }
const deposit = async (value: bigint) => {
  const hash = await chain.as(1).sendTransaction({ to: chain.treasury, value })
  return chain.client.waitForTransactionReceipt({ hash })
}
const waitForBalance = (wei: bigint) =>
  vi.waitFor(async () => expect(await facilitator.available(account)).toBe(wei), WAIT)
/** Waits until the server has made so many more requests of a method. */
const waitForCalls = (method: string, count: number) => {
  const before = node.calls.length
  return vi.waitFor(
    () =>
      expect(node.calls.slice(before).filter((call) => call === method).length).toBeGreaterThanOrEqual(count),
    WAIT,
  )
}
const eventsOfPayer = async () =>
  (
    await db
      .selectFrom('facilitator.events')
      .select('type')
      .where('subject', '=', `payer:${account.payer}`)
      .orderBy('sequence')
      .execute()
  ).map(({ type }) => type)

test('credits a deposit although the node that answered eth_getLogs had not imported its block', async () => {
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  await deposit(500n)
  const answered = waitForCalls('eth_getLogs', 1)
  await chain.client.mine({ blocks: 4 })
  await answered
  await waitForCalls('eth_blockNumber', 2)
  node.catchUp()
  await chain.client.mine({ blocks: 2 })
  await waitForBalance(500n)
})

test('keeps a credited deposit, its account and its events unchanged while the node lacks the block', async () => {
  const before = await facilitator.available(account)
  await deposit(70n)
  await chain.client.mine({ blocks: 4 })
  await waitForBalance(before + 70n)
  const events = await eventsOfPayer()
  await node.lag(6)
  await waitForCalls('eth_blockNumber', 4)
  expect(await getAccount(db, account.id)).toMatchObject({ available: before + 70n, owed: 0n })
  expect(await getAccount(db, account.id)).not.toHaveProperty('frozenReason')
  expect(await eventsOfPayer()).toEqual(events)
  node.catchUp()
  await deposit(5n)
  await chain.client.mine({ blocks: 4 })
  await waitForBalance(before + 75n)
})
