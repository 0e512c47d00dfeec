import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/nodes/faulty-node'
import { encodeFunctionData, erc20Abi, toHex } from 'viem'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { callAfterBlock, callAtBlock, compareBlock, compareBlocksAsOf, readReceipt } from './block-facts.ts'
import { openChains } from './chains.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
afterAll(() => node.close())
const [chain] = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 1 } }]).all
if (chain === undefined) throw new Error('One chain is configured')

const recipient = '0x00000000000000000000000000000000000000aa'
const UNKNOWN_HASH = `0x${'1'.repeat(64)}`

beforeEach(() => {
  node.catchUp()
  node.interfere = () => undefined
})

async function pay() {
  const hash = await devChain.as(1).sendTransaction({ to: recipient, value: 5n })
  return devChain.client.waitForTransactionReceipt({ hash })
}

it('a recorded block is the same, is different, or is unknown to a node that lacks it', async () => {
  const { blockNumber: number, blockHash: hash } = await pay()
  expect(await compareBlock(chain, { number, hash })).toBe('same')
  expect(await compareBlock(chain, { number, hash: UNKNOWN_HASH })).toBe('different')
  await node.lag(1)
  expect(await compareBlock(chain, { number, hash })).toBe('unknown')
  expect(await compareBlock(chain, { number, hash: UNKNOWN_HASH })).toBe('unknown')
})

it('recorded blocks as of a block are the same, are different, or are unknown, in order', async () => {
  const { blockNumber: number, blockHash: hash } = await pay()
  await devChain.client.mine({ blocks: 1 })
  const asOf = await devChain.client.getBlock()
  const blocks = [
    { number, hash },
    { number, hash: UNKNOWN_HASH },
    { number: number + 10n, hash },
  ]
  expect(await compareBlocksAsOf(chain, blocks, asOf)).toEqual(['same', 'different', 'unknown'])
})

it('recorded blocks as of a block are unknown to a node that lacks that block or has another version of it', async () => {
  const { blockNumber: number, blockHash: hash } = await pay()
  await devChain.client.mine({ blocks: 1 })
  const asOf = await devChain.client.getBlock()
  const replaced = { ...asOf, hash: UNKNOWN_HASH }
  expect(await compareBlocksAsOf(chain, [{ number, hash }], replaced)).toEqual(['unknown'])
  await node.lag(1)
  expect(await compareBlocksAsOf(chain, [{ number, hash }], asOf)).toEqual(['unknown'])
})

it('recorded blocks as of a block are compared in several requests', async () => {
  const { blockNumber: number, blockHash: hash } = await pay()
  const asOf = await devChain.client.getBlock()
  const blocks = Array.from({ length: 20 }, () => ({ number, hash }))
  node.calls.length = 0
  expect(await compareBlocksAsOf(chain, blocks, asOf)).toEqual(blocks.map(() => 'same'))
  // Each of three requests contains the block as of which they are compared.
  expect(node.calls).toHaveLength(blocks.length + 3)
})

it('recorded blocks as of a block are compared without it when they are newer', async () => {
  const asOf = { number: 0n, hash: UNKNOWN_HASH }
  const { blockNumber: number, blockHash: hash } = await pay()
  expect(await compareBlocksAsOf(chain, [{ number, hash }], asOf)).toEqual(['same'])
})

it('the receipt of a transaction is mined in a block of the chain', async () => {
  const { transactionHash, blockHash } = await pay()
  const asOf = await devChain.client.getBlock()
  const fact = await readReceipt(chain, transactionHash, asOf)
  expect(fact).toMatchObject({ kind: 'mined', receipt: { status: 'success', transactionHash, blockHash } })
})

it('the receipt of a transaction is absent when a node with the block has none', async () => {
  expect(await readReceipt(chain, UNKNOWN_HASH, await devChain.client.getBlock())).toEqual({
    kind: 'absent',
  })
})

it('the receipt of a transaction is unknown to a node that lacks the block', async () => {
  const { transactionHash } = await pay()
  const asOf = await devChain.client.getBlock()
  await node.lag(1)
  expect(await readReceipt(chain, transactionHash, asOf)).toEqual({ kind: 'unknown' })
})

it('the receipt of a transaction is unknown when a node still has the block that a reorganization replaced', async () => {
  const snapshot = await devChain.client.snapshot()
  const { transactionHash } = await pay()
  const result = await devChain.client.request({
    // viem's test client does not list the methods of a public client.
    method: 'eth_getTransactionReceipt' as never,
    params: [transactionHash],
  })
  await devChain.client.revert({ id: snapshot })
  await devChain.client.mine({ blocks: 2 })
  node.interfere = (method) => (method === 'eth_getTransactionReceipt' ? { result } : undefined)
  expect(await readReceipt(chain, transactionHash, await devChain.client.getBlock())).toEqual({
    kind: 'unknown',
  })
})

const call = {
  to: devChain.token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [devChain.token] }),
}

it('a call with the state of one block returns the state of that block', async () => {
  const { blockHash } = await pay()
  const data = toHex(0n, { size: 32 })
  expect(await callAtBlock(chain, call, blockHash)).toEqual({ kind: 'returned', data })
})

it('a call with the state of one block is refused by a contract that reverts', async () => {
  const { blockHash } = await pay()
  expect(await callAtBlock(chain, { ...call, data: '0x12345678' }, blockHash)).toMatchObject({
    kind: 'refused',
  })
})

it('a call with the state of one block is unknown to a node that lacks the block', async () => {
  const { blockHash } = await pay()
  await node.lag(1)
  expect(await callAtBlock(chain, call, blockHash)).toMatchObject({
    kind: 'unknown',
    error: { message: 'header not found' },
  })
})

describe('a call after a block', () => {
  const call = {
    to: devChain.token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [devChain.token] }),
  }

  it('a call after a block returns the newest state of a node that has the block', async () => {
    const { blockNumber: number, blockHash: hash } = await pay()
    expect(await callAfterBlock(chain, call, { number, hash })).toBe(toHex(0n, { size: 32 }))
  })

  it('a call after a block returns nothing from a node that lacks the block or has another version of it', async () => {
    const { blockNumber: number, blockHash: hash } = await pay()
    expect(await callAfterBlock(chain, call, { number, hash: UNKNOWN_HASH })).toBeUndefined()
    await node.lag(1)
    expect(await callAfterBlock(chain, call, { number, hash })).toBeUndefined()
  })
})
