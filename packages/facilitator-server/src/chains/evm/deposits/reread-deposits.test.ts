import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Deposit } from '../../../ledger/deposits/deposits.ts'
import { transactionDatabase } from '../testing.ts'
import type { DepositWatchOptions } from './deposit-parts.ts'
import { createDepositWatch } from './deposit-watch.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const payer = devChain.as(1)
const chain = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }]).all[0]
if (!chain) throw new Error('one chain was configured')

let database: Awaited<ReturnType<typeof transactionDatabase>>
let credited: bigint[]
let lost: bigint[]
let fromBlock: bigint

beforeEach(async () => {
  database = await transactionDatabase()
  credited = []
  lost = []
  fromBlock = (await devChain.client.getBlockNumber()) + 1n
  return () => database.drop()
})
afterAll(() => node.close())

const watch = (options: Partial<DepositWatchOptions> = {}) =>
  createDepositWatch({
    db: database.db,
    chain,
    treasury: devChain.treasury,
    fromBlock,
    credit: async ({ amount }: Deposit) => void credited.push(amount),
    reverse: async ({ amount }: Deposit) => void lost.push(amount),
    ...options,
  })
const send = async (value: bigint) => {
  const hash = await payer.sendTransaction({ to: devChain.treasury, value })
  return devChain.client.waitForTransactionReceipt({ hash })
}
const mine = (blocks: number) => devChain.client.mine({ blocks })

/** Sends a deposit that the first pass misses, and lets the pass read ten blocks more. */
async function missDeposit(): Promise<{ block: bigint; nextBlock: bigint }> {
  const { blockNumber: block } = await send(5n)
  await mine(12)
  node.interfere = (method) => (method === 'eth_getLogs' ? { result: [] } : undefined)
  const { nextBlock } = await watch({ recentSeconds: 0 }).poll()
  node.interfere = () => undefined
  expect(credited).toEqual([])
  return { block, nextBlock }
}

describe('a pass with `rereadFrom`', () => {
  it('credits what was missed longer ago than `rereadBlocks`', async () => {
    const { block, nextBlock } = await missDeposit()
    expect(await watch({ rereadBlocks: 1n, rereadFrom: block + 1n }).poll()).toMatchObject({ credited: 0 })
    const report = await watch({ rereadBlocks: 1n, rereadFrom: block }).poll()
    expect(report).toMatchObject({ credited: 1, nextBlock, complete: true })
    expect(credited).toEqual([5n])
  })

  it('rereads no fewer blocks than `rereadBlocks`', async () => {
    const { nextBlock } = await missDeposit()
    expect(await watch({ rereadFrom: nextBlock + 5n }).poll()).toMatchObject({ credited: 1, nextBlock })
  })

  it('reverses all deposits that a deep reorganization removed, also those before it', async () => {
    const snapshot = await devChain.client.snapshot()
    await send(7n)
    await mine(12)
    const { nextBlock } = await watch().poll()
    await devChain.client.revert({ id: snapshot })
    await mine(16)
    const report = await watch({ rereadFrom: nextBlock - 2n }).poll()
    expect(report).toMatchObject({ lost: 1, complete: true })
    expect(lost).toEqual([7n])
  })
})
