import { devAccount } from '@mintmark/devkit/chain/accounts'
import { treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { openChains } from '@mintmark/evm-reader'
import { afterAll, expect, test, vi } from 'vitest'
import { readTreasuryBalance } from '../chains/evm/deposits/treasury-balance.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
const { db } = facilitator
afterAll(() => facilitator.close())

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
