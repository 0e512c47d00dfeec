import { parseEther } from 'viem'
import { expect, it } from 'vitest'
import type { AnvilClient } from './chain.ts'
import { markForkPoint } from './reorganize.ts'
import { testChain } from './testing.ts'

const chain = await testChain()

it('keeps a transaction that its sender sends again while the blocks are replaced', async () => {
  const wallet = chain.as(3)
  const to = `0x${'33'.repeat(20)}` as const
  const request = await wallet.prepareTransactionRequest({ to, value: parseEther('1') })
  const serializedTransaction = await wallet.signTransaction(request)
  let sends = 0
  const meddled: AnvilClient = {
    ...chain.client,
    async mine(options) {
      await chain.client.mine(options)
      if (sends++ === 0) await chain.client.sendRawTransaction({ serializedTransaction })
    },
  }
  await chain.client.setAutomine(false)
  const forkPoint = await markForkPoint(meddled)
  const hash = await chain.client.sendRawTransaction({ serializedTransaction })
  await chain.client.mine({ blocks: 1 })
  const { blockHash: replaced } = await chain.client.waitForTransactionReceipt({ hash })

  await forkPoint.replaceBlocks(3, [hash])

  const { blockHash } = await chain.client.waitForTransactionReceipt({ hash, timeout: 10_000 })
  expect(blockHash).not.toBe(replaced)
  expect(await chain.client.getBalance({ address: to })).toBe(parseEther('1'))
})
