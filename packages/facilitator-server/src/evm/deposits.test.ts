import { openChains } from '@mintmark/server-kit'
import { faultyNode } from '@mintmark/server-kit/testing'
import { parseEther } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { devAccount } from '../../../../tools/devchain/accounts.ts'
import { devUsdcAbi, treasuryAbi } from '../../../../tools/devchain/artifacts/abi.ts'
import { testChain } from '../../../../tools/devchain/testing.ts'
import type { Deposit } from '../ledger/deposits.ts'
import { createDepositWatch, type DepositWatchOptions } from './deposits.ts'
import { transactionDatabase } from './testing.ts'

const devChain = await testChain()
const node = await faultyNode(devChain.rpcUrl)
const payer = devChain.as(1)
const chain = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }]).all[0]
if (!chain) throw new Error('one chain was configured')

let database: Awaited<ReturnType<typeof transactionDatabase>>
let credited: Deposit[]
let lost: Deposit[]
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
    credit: async (deposit) => void credited.push(deposit),
    lost: async (deposit) => void lost.push(deposit),
    ...options,
  })
const send = async (value: bigint) => {
  const hash = await payer.sendTransaction({ to: devChain.treasury, value })
  return devChain.client.waitForTransactionReceipt({ hash })
}
const mine = (blocks: number) => devChain.client.mine({ blocks })

it('credits a deposit once it is final, with its place on the chain', async () => {
  const receipt = await send(123n)
  await mine(1)
  expect(await watch().poll()).toMatchObject({ credited: 0 })
  await mine(1)
  expect(await watch().poll()).toMatchObject({ credited: 1, nextBlock: receipt.blockNumber + 1n })
  expect(credited).toEqual([
    {
      chainId: 84532,
      hash: receipt.transactionHash,
      logIndex: 0,
      payer: payer.account.address.toLowerCase(),
      amount: 123n,
      blockNumber: receipt.blockNumber,
      blockHash: receipt.blockHash,
    },
  ])
})

it('credits the one who was named by depositFor', async () => {
  const named = devAccount(5).address
  await devChain.confirm(
    payer.writeContract({
      address: devChain.treasury,
      abi: treasuryAbi,
      functionName: 'depositFor',
      args: [named],
      value: parseEther('1'),
    }),
  )
  await mine(2)
  await watch().poll()
  expect(credited).toMatchObject([{ payer: named.toLowerCase(), amount: parseEther('1') }])
})

it('goes on where it ended, over many log queries, and credits nothing twice', async () => {
  for (const value of [1n, 2n, 3n]) {
    await send(value)
    await mine(4)
  }
  await watch({ blocksPerQuery: 2n }).poll()
  await send(4n)
  await mine(2)
  await watch({ blocksPerQuery: 2n }).poll()
  await watch().poll()
  expect(credited.map(({ amount }) => amount)).toEqual([1n, 2n, 3n, 4n])
})

it('tells a deposit again when it could not be credited', async () => {
  await send(9n)
  await mine(2)
  const failing = watch({ credit: () => Promise.reject(new Error('no database')) })
  await expect(failing.poll()).rejects.toThrow('no database')
  await watch().poll()
  expect(credited).toMatchObject([{ amount: 9n }])
})

it('fails, and reads on later, when the node does not answer', async () => {
  await send(9n)
  await mine(2)
  node.interfere = (method) => (method === 'eth_getLogs' ? 'hang up' : undefined)
  await expect(watch().poll()).rejects.toThrow()
  node.interfere = () => undefined
  expect(await watch().poll()).toMatchObject({ credited: 1 })
})

it('takes back what a reorganisation deeper than finality removed, and reads the blocks that came instead', async () => {
  await send(1n)
  const snapshot = await devChain.client.snapshot()
  await send(2n)
  await mine(2)
  await watch().poll()
  expect(credited.map(({ amount }) => amount)).toEqual([1n, 2n])
  await devChain.client.revert({ id: snapshot })
  await send(3n)
  await mine(5)
  expect(await watch().poll()).toMatchObject({ lost: 1, credited: 1 })
  expect(lost).toEqual([credited[1]])
  expect(credited[2]).toMatchObject({ amount: 3n })
  expect(await watch().poll()).toMatchObject({ lost: 0, credited: 0 })
})

it('keeps a deposit whose transaction was mined again in another block', async () => {
  const snapshot = await devChain.client.snapshot()
  const { transactionHash } = await send(7n)
  const transaction = await devChain.client.request({
    // viem does not list this method of nodes.
    method: 'eth_getRawTransactionByHash' as never,
    params: [transactionHash],
  })
  await mine(2)
  await watch().poll()
  await devChain.client.revert({ id: snapshot })
  await mine(1)
  // The method above answers the signed bytes, not the transaction that its disguise promises.
  await devChain.client.sendRawTransaction({ serializedTransaction: transaction as unknown as `0x${string}` })
  await mine(4)
  expect(await watch().poll()).toMatchObject({ lost: 0, credited: 0 })
  expect(credited).toMatchObject([{ amount: 7n }])
  expect(lost).toEqual([])
})

it('credits a lost deposit again when it comes back, under the index it had', async () => {
  const snapshot = await devChain.client.snapshot()
  const { transactionHash } = await send(7n)
  const raw = await devChain.client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [transactionHash],
  })
  await mine(2)
  await watch().poll()
  await devChain.client.revert({ id: snapshot })
  await mine(4)
  expect(await watch().poll()).toMatchObject({ lost: 1 })
  // Behind another log in its block, so that its index there is another.
  await devChain.client.setAutomine(false)
  await devChain.as(9).writeContract({
    address: devChain.token,
    abi: devUsdcAbi,
    functionName: 'mint',
    args: [devAccount(5).address, 1n],
    maxPriorityFeePerGas: 10n ** 11n,
    maxFeePerGas: 10n ** 12n,
  })
  await devChain.client.sendRawTransaction({ serializedTransaction: raw as unknown as `0x${string}` })
  await mine(1)
  await devChain.client.setAutomine(true)
  expect((await devChain.client.getTransactionReceipt({ hash: transactionHash })).logs[0]?.logIndex).toBe(1)
  await mine(2)
  expect(await watch().poll()).toMatchObject({ credited: 1 })
  expect(credited.map(({ hash, logIndex }) => [hash, logIndex])).toEqual([
    [transactionHash, 0],
    [transactionHash, 0],
  ])
})
