import { devAccount } from '@mintmark/devkit/chain/accounts'
import { treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { readTreasuryBalance } from '../chains/evm/deposits/treasury-balance.ts'
import { getAccount } from '../ledger/accounts/accounts.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
const facilitator = await testFacilitator({
  chain: { rpcUrl: node.url, treasury: chain.treasury },
  signerKeys: [devAccount(9).privateKey],
})
const { db } = facilitator
const account = await facilitator.account({ payer: devAccount(1).address, settles: 0 })
afterEach(async () => {
  node.catchUp()
  node.lags = () => true
  expect(await findProblems()).toEqual([])
})
afterAll(async () => {
  await facilitator.close()
  node.close()
})

const [treasuryChain] = openChains([{ id: 84532, rpcUrls: [chain.rpcUrl], finality: { depth: 3 } }]).all
if (treasuryChain === undefined) throw new Error('one chain was configured')
const findProblems = async () => {
  const treasuryAtBlock = await readTreasuryBalance(db, treasuryChain, chain.treasury)
  return (await checkLedger(db, { treasuryAtBlock })).problems
}

const WAIT = { timeout: 20_000, interval: 50 }
const deposit = async (value: bigint) => {
  const hash = await chain.as(1).sendTransaction({ to: chain.treasury, value })
  return chain.client.waitForTransactionReceipt({ hash })
}
const waitForBalance = (wei: bigint) =>
  vi.waitFor(async () => expect(await facilitator.available(account)).toBe(wei), WAIT)
/** A line is logged after the commit that it reports. */
const waitForLog = (line: string) => vi.waitFor(() => expect(facilitator.log.join('')).toContain(line), WAIT)
/** Waits until the server has made `count` more requests of a method. */
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

test('credits a deposit although the node that responded to eth_getLogs had not imported its block', async () => {
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  await deposit(500n)
  const responded = waitForCalls('eth_getLogs', 1)
  await chain.client.mine({ blocks: 4 })
  await responded
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
  // The deposits are read at least once while the node lags.
  await facilitator.runJobs()
  expect(await getAccount(db, account.id)).toMatchObject({ available: before + 70n, owed: 0n })
  expect(await getAccount(db, account.id)).not.toHaveProperty('frozenReason')
  expect(await eventsOfPayer()).toEqual(events)
  node.catchUp()
  await deposit(5n)
  await chain.client.mine({ blocks: 4 })
  await waitForBalance(before + 75n)
})

test('reverses a deposit that a deep reorganization removed, and ends the freeze when the chain has it again', async () => {
  const before = await facilitator.available(account)
  const snapshot = await chain.client.snapshot()
  const { transactionHash } = await deposit(90n)
  const raw = await chain.client.request({
    // viem does not list this method of nodes. It returns the signed bytes.
    method: 'eth_getRawTransactionByHash' as never,
    params: [transactionHash],
  })
  await chain.client.mine({ blocks: 4 })
  await waitForBalance(before + 90n)

  await chain.client.revert({ id: snapshot })
  await chain.client.mine({ blocks: 9 })
  const frozenReason = async () => (await getAccount(db, account.id)).frozenReason
  await vi.waitFor(async () => expect(await frozenReason()).toContain(transactionHash), WAIT)
  expect(await facilitator.available(account)).toBe(before)
  await waitForLog('A reorganization removed a credited deposit')

  await chain.client.sendRawTransaction({ serializedTransaction: raw as unknown as `0x${string}` })
  await chain.client.mine({ blocks: 4 })
  await waitForBalance(before + 90n)
  expect(await frozenReason()).toBeUndefined()
  await waitForLog('A reversed deposit is on the chain again and was credited')
})

test('explains the balance of the treasury by deposits and withdrawals, and reports a deposit that was not credited', async () => {
  await deposit(1_000n)
  await chain.as(0).writeContract({
    address: chain.treasury,
    abi: treasuryAbi,
    functionName: 'withdraw',
    args: [devAccount(0).address, 300n],
  })
  await chain.client.mine({ blocks: 4 })
  const withdrawn = async () =>
    (await db.selectFrom('facilitator.treasury_withdrawals').select('amount').execute()).map(
      ({ amount }) => amount,
    )
  await vi.waitFor(async () => expect(await withdrawn()).toEqual(['300']), WAIT)
  expect(await findProblems()).toEqual([])
  const metrics = () => facilitator.metrics()
  await vi.waitFor(
    async () => expect(await metrics()).toMatch(/treasury_unexplained\{chain="84532"\} 0\n/),
    WAIT,
  )

  // Ether that arrives without an event, such as by selfdestruct. The check cannot distinguish it from a
  // missed deposit.
  const balance = await chain.client.getBalance({ address: chain.treasury })
  await chain.client.setBalance({ address: chain.treasury, value: balance + 7n })
  await deposit(2_000n)
  await chain.client.mine({ blocks: 4 })
  const problems = await vi.waitFor(async () => {
    const found = await findProblems()
    expect(found).toHaveLength(1)
    return found
  }, WAIT)
  expect(problems).toMatchObject([
    {
      invariant: 'credited deposits explain the balance of the treasury',
      detail: expect.stringContaining('7 more than that: a deposit was not credited'),
    },
  ])
  await vi.waitFor(
    async () => expect(await metrics()).toMatch(/treasury_unexplained\{chain="84532"\} 7e-18\n/),
    WAIT,
  )
  await chain.client.setBalance({ address: chain.treasury, value: balance + 2_000n })
  await chain.client.mine({ blocks: 4 })
  await vi.waitFor(async () => expect(await findProblems()).toEqual([]), WAIT)
})
