import { expect, it, onTestFinished } from 'vitest'
import { devAccount } from './accounts.ts'
import { testChain } from './testing.ts'

const chain = await testChain()

it('waits for the receipt of a transaction that is mined later', async () => {
  await chain.client.setAutomine(false)
  onTestFinished(() => chain.client.setAutomine(true))
  const hash = await chain.as(1).sendTransaction({ to: devAccount(2).address, value: 1n })
  const waiting = chain.client.waitForTransactionReceipt({ hash, timeout: 5_000 })
  await chain.client.mine({ blocks: 1 })
  expect(await waiting).toMatchObject({ transactionHash: hash, status: 'success' })
})

it('reports a transaction that is not mined in time', async () => {
  const hash = `0x${'12'.repeat(32)}` as const
  const waiting = chain.client.waitForTransactionReceipt({ hash, timeout: 100 })
  await expect(waiting).rejects.toThrow('Timed out')
})
