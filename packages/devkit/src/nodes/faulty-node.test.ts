import { parseAbiItem } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { anvilClient } from '../chain/chain.ts'
import { testChain } from '../chain/testing.ts'
import { startFaultyNode } from './faulty-node.ts'

const chain = await testChain()
const node = await startFaultyNode(chain.rpcUrl)
afterAll(() => node.close())
const lagging = anvilClient(node.url)
const sender = chain.as(1)
const recipient = '0x00000000000000000000000000000000000000aa'
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

beforeEach(() => node.catchUp())

/** A payment in a block that the lagging node has not reached. */
async function paymentBeyondHead() {
  await node.lag()
  const hash = await sender.sendTransaction({ to: recipient, value: 5n })
  const receipt = await chain.client.waitForTransactionReceipt({ hash })
  return { hash, receipt }
}

test('a lagging node reports its own head as the latest block', async () => {
  const { receipt } = await paymentBeyondHead()
  expect(await lagging.getBlockNumber({ cacheTime: 0 })).toBe(receipt.blockNumber - 1n)
  expect((await lagging.getBlock()).number).toBe(receipt.blockNumber - 1n)
})

test('a lagging node has neither the block, the transaction nor the receipt of a later block', async () => {
  const { hash, receipt } = await paymentBeyondHead()
  await expect(lagging.getBlock({ blockNumber: receipt.blockNumber })).rejects.toThrow('could not be found')
  await expect(lagging.getBlock({ blockHash: receipt.blockHash })).rejects.toThrow('could not be found')
  await expect(lagging.getTransactionReceipt({ hash })).rejects.toThrow('could not be found')
  await expect(lagging.getTransaction({ hash })).rejects.toThrow('could not be found')
})

test('a lagging node clamps a range of logs to its head without an error', async () => {
  await node.lag()
  const hash = await sender.writeContract({
    address: chain.token,
    abi: [parseAbiItem('function transfer(address to, uint256 value) returns (bool)')],
    functionName: 'transfer',
    args: [recipient, 1n],
  })
  const { blockNumber, blockHash } = await chain.client.waitForTransactionReceipt({ hash })
  const range = { address: chain.token, event: transfer, fromBlock: blockNumber, toBlock: blockNumber }
  expect(await chain.client.getLogs(range)).toHaveLength(1)
  expect(await lagging.getLogs(range)).toEqual([])
  await expect(lagging.getLogs({ address: chain.token, blockHash })).rejects.toThrow('unknown block')
})

test('a lagging node reads state as of its head and refuses a later block', async () => {
  const before = await chain.client.getBalance({ address: recipient })
  const { receipt } = await paymentBeyondHead()
  expect(await chain.client.getBalance({ address: recipient })).toBe(before + 5n)
  expect(await lagging.getBalance({ address: recipient })).toBe(before)
  await expect(lagging.getBalance({ address: recipient, blockNumber: receipt.blockNumber })).rejects.toThrow(
    'header not found',
  )
})

test('a node lags only for the requests that a test selects', async () => {
  const { receipt } = await paymentBeyondHead()
  node.lags = (method) => method === 'eth_getLogs'
  expect(await lagging.getBlockNumber({ cacheTime: 0 })).toBe(receipt.blockNumber)
  node.lags = () => true
  expect(await lagging.getBlockNumber({ cacheTime: 0 })).toBe(receipt.blockNumber - 1n)
})

test('a node that has caught up has every block again', async () => {
  const { hash } = await paymentBeyondHead()
  node.catchUp()
  expect((await lagging.getTransactionReceipt({ hash })).status).toBe('success')
})
