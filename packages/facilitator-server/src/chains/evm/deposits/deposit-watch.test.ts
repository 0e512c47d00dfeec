import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, treasuryAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { randomFrom } from '@mintmark/devkit/random'
import { createFaults, readFaultSeeds, startFaultyNode } from '@mintmark/devkit/testing'
import { openChains } from '@mintmark/evm-reader'
import { BaseError, parseEther, toHex } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Deposit } from '../../../ledger/deposits/deposits.ts'
import { transactionDatabase } from '../testing.ts'
import type { DepositWatchOptions } from './deposit-parts.ts'
import { createDepositWatch, type DepositWatch } from './deposit-watch.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
const payer = devChain.as(1)
const chain = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 2 } }]).all[0]
if (!chain) throw new Error('one chain was configured')

let database: Awaited<ReturnType<typeof transactionDatabase>>
let credited: Deposit[]
let lost: Deposit[]
let fromBlock: bigint

beforeEach(async () => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
  node.faults = undefined
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
    reverse: async (deposit) => void lost.push(deposit),
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

it('continues where the last pass ended, over many log queries, and credits nothing twice', async () => {
  for (const value of [1n, 2n, 3n]) {
    await send(value)
    await mine(4)
  }
  await watch({ blocksPerQuery: 2 }).poll()
  await send(4n)
  await mine(2)
  await watch({ blocksPerQuery: 2 }).poll()
  await watch().poll()
  expect(credited.map(({ amount }) => amount)).toEqual([1n, 2n, 3n, 4n])
})

it('reads the recorded deposits of a range in one statement, because anyone can make many', async () => {
  let statements = 0
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const countStatements = async (deposits: number) => {
    for (let sent = 0; sent < deposits; sent += 1) await send(1n)
    await mine(2)
    await watch().poll()
    statements = 0
    expect(await watch({ db }).poll()).toMatchObject({ credited: 0 })
    return statements
  }
  const withOne = await countStatements(1)
  expect(await countStatements(20)).toBe(withOne)
  expect(credited).toHaveLength(21)
})

it('credits a deposit again after crediting it failed', async () => {
  await send(9n)
  await mine(2)
  const failing = watch({ credit: () => Promise.reject(new Error('no database')) })
  await expect(failing.poll()).rejects.toThrow('no database')
  await watch().poll()
  expect(credited).toMatchObject([{ amount: 9n }])
})

it('fails when the node does not respond, and continues later', async () => {
  await send(9n)
  await mine(2)
  node.interfere = (method) => (method === 'eth_getLogs' ? 'hang up' : undefined)
  await expect(watch().poll()).rejects.toThrow()
  node.interfere = () => undefined
  expect(await watch().poll()).toMatchObject({ credited: 1 })
})

it('reverses deposits that a reorganization deeper than finality removed, and reads the new blocks', async () => {
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
  // The method above returns the signed bytes, although its type promises a transaction.
  await devChain.client.sendRawTransaction({ serializedTransaction: transaction as unknown as `0x${string}` })
  await mine(4)
  expect(await watch().poll()).toMatchObject({ lost: 0, credited: 0 })
  expect(credited).toMatchObject([{ amount: 7n }])
  expect(lost).toEqual([])
})

it('continues after a deposit was mined again in an earlier block', async () => {
  await mine(1)
  const snapshot = await devChain.client.snapshot()
  await mine(1)
  const { transactionHash, blockNumber } = await send(8n)
  const raw = await rawTransaction(transactionHash)
  await mine(2)
  await watch().poll()
  await devChain.client.revert({ id: snapshot })
  await devChain.client.sendRawTransaction({ serializedTransaction: raw })
  await mine(1)
  await send(9n)
  await mine(4)
  expect((await devChain.client.getTransactionReceipt({ hash: transactionHash })).blockNumber).toBe(
    blockNumber - 1n,
  )
  expect(await watch().poll()).toMatchObject({ lost: 0, credited: 1 })
  expect(credited.map(({ amount }) => amount)).toEqual([8n, 9n])
  expect(lost).toEqual([])
})

it('reverses a deposit whose transaction was mined again and failed', async () => {
  const snapshot = await devChain.client.snapshot()
  const { transactionHash } = await send(10n)
  const raw = await rawTransaction(transactionHash)
  await mine(2)
  await watch().poll()
  await devChain.client.revert({ id: snapshot })
  // A contract that rejects every call, in place of the treasury.
  const code = await devChain.client.getCode({ address: devChain.treasury })
  await devChain.client.setCode({ address: devChain.treasury, bytecode: '0x60006000fd' })
  await devChain.client.sendRawTransaction({ serializedTransaction: raw })
  await mine(4)
  if (code === undefined) throw new Error('The treasury has code')
  await devChain.client.setCode({ address: devChain.treasury, bytecode: code })
  expect(await watch().poll()).toMatchObject({ lost: 1, credited: 0 })
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

it('the deposit watch with nodes that lag behind does not move past a block that the node of eth_getLogs lacks', async () => {
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  const { blockNumber } = await send(11n)
  await mine(3)
  await expect(watch().poll()).rejects.toThrow('unknown block')
  node.catchUp()
  expect(await watch().poll()).toMatchObject({ credited: 1, nextBlock: blockNumber + 2n })
})

it('the deposit watch with nodes that lag behind credits on the next pass what a lagging node left out of a range, and logs it', async () => {
  await send(12n)
  await mine(2)
  await watch().poll()
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  await send(13n)
  await mine(8)
  const warnings: string[] = []
  const log = { warn: (_: object, message: string) => warnings.push(message), error: () => {} }
  const inRanges = watch({ recentSeconds: 0, log })
  expect(await inRanges.poll()).toMatchObject({ credited: 0 })
  node.catchUp()
  expect(await inRanges.poll()).toMatchObject({ credited: 1 })
  expect(credited.map(({ amount }) => amount)).toEqual([12n, 13n])
  expect(warnings).toEqual(['A deposit that an earlier read had missed was credited'])
  expect(await inRanges.poll()).toMatchObject({ credited: 0 })
})

it('the deposit watch with nodes that lag behind reads no block from a node that has another version of the final block', async () => {
  await mine(3)
  const { nextBlock } = await watch().poll()
  await send(15n)
  await mine(2)
  const replaced = `0x${'1'.repeat(64)}`
  let reads = 0
  node.interfere = (method, params) => {
    if (method !== 'eth_getBlockByNumber' || !lastBlockIs(params, final)) return undefined
    reads += 1
    // The first request reads the final block. The next ones meet a node that has not seen the
    // reorganization.
    if (reads === 1) return undefined
    return { result: { number: toHex(final), hash: replaced, parentHash, timestamp: '0x1' } }
  }
  const final = (await devChain.client.getBlockNumber()) - 2n
  const { parentHash } = await devChain.client.getBlock({ blockNumber: final })
  expect(await watch().poll()).toMatchObject({ credited: 0, nextBlock, complete: false })
  expect(reads).toBeGreaterThan(1)
  node.interfere = () => undefined
  expect(await watch().poll()).toMatchObject({ credited: 1, nextBlock: final + 1n, complete: true })
})

it('the deposit watch with nodes that lag behind reverses nothing while the node lacks the block that was read last', async () => {
  await send(14n)
  await mine(6)
  const { nextBlock } = await watch().poll()
  await node.lag(6)
  expect(await watch().poll()).toEqual({ credited: 0, lost: 0, nextBlock, complete: false })
  // The final block is beyond the cursor, and only the request for the cursor's block meets the lagging
  // node.
  await mine(2)
  node.lags = (method, params) => method === 'eth_getBlockByNumber' && lastBlockIs(params, nextBlock - 1n)
  expect(await watch().poll()).toEqual({ credited: 0, lost: 0, nextBlock, complete: false })
  expect(lost).toEqual([])
})

it.each([['eth_getBlockByNumber'], ['eth_getLogs'], ['eth_blockNumber']])(
  'the deposit watch with nodes that lag behind reverses exactly the deposits that a deep reorganization removed, once a node at the head responds to %s',
  async (method) => {
    const snapshot = await devChain.client.snapshot()
    const moved = await send(21n)
    const raw = await rawTransaction(moved.transactionHash)
    await send(22n)
    await mine(6)
    await watch().poll()
    await devChain.client.revert({ id: snapshot })
    await mine(1)
    await devChain.client.sendRawTransaction({ serializedTransaction: raw })
    await mine(9)
    node.head = moved.blockNumber
    node.lags = (called, params) => called === method && !isCursorBlock(params)
    const isCursorBlock = (params: unknown) => lastBlockIs(params, moved.blockNumber + 5n)
    await watch().poll().catch(expectUnknownBlock)
    expect(lost).toEqual([])
    node.catchUp()
    expect(await watch().poll()).toMatchObject({ lost: 1 })
    expect(lost.map(({ amount }) => amount)).toEqual([22n])
    expect(await watch().poll()).toMatchObject({ lost: 0, credited: 0 })
    expect(credited.map(({ amount }) => amount)).toEqual([21n, 22n])
  },
)

it('the deposit watch with nodes that lag behind keeps a deposit that a reorganization moved into a block that is not final yet', async () => {
  const snapshot = await devChain.client.snapshot()
  const { transactionHash } = await send(23n)
  const raw = await rawTransaction(transactionHash)
  await mine(2)
  await watch().poll()
  await devChain.client.revert({ id: snapshot })
  await mine(4)
  await devChain.client.sendRawTransaction({ serializedTransaction: raw })
  await devChain.client.waitForTransactionReceipt({ hash: transactionHash })
  expect(await watch().poll()).toMatchObject({ lost: 0 })
  await mine(2)
  expect(await watch().poll()).toMatchObject({ lost: 0, credited: 0 })
  expect(lost).toEqual([])
})

// FAULT_SEEDS=1-50 runs other seeds.
it.each(readFaultSeeds([1]))(
  'the deposit watch with nodes that lag behind credits every deposit exactly once while nodes lag, limit, drop and truncate responses, seed %i',
  async (seed) => {
    const random = randomFrom(seed)
    const options = { recentSeconds: 4, blocksPerQuery: 8, rereadBlocks: 200n }
    const watches = [watch(options), watch(options)]
    const sent: bigint[] = []
    node.faults = createFaults({ seed, rates: FAULT_RATES, lags: [1, 3, 7, 12], rangeCap: 4 })
    for (let round = 0; round < 12; round += 1) {
      for (let each = random.integer(3); each > 0; each -= 1) {
        const value = BigInt(seed * 1_000 + sent.length)
        await send(value)
        sent.push(value)
      }
      await mine(1 + random.integer(6))
      await Promise.all(watches.map(pollOnce))
    }
    node.faults = undefined
    await mine(2)
    await Promise.all(watches.map((each) => each.poll()))
    const hashes = new Map(credited.map(({ hash, amount }) => [hash, amount]))
    expect([...hashes.values()].sort()).toEqual(sent.sort())
    expect(lost).toEqual([])
  },
)

/** Half of all requests meet a lagging node. */
const FAULT_RATES = {
  lag: 0.5,
  delay: 0.05,
  dropRequest: 0.02,
  dropResponse: 0.02,
  truncate: 0.02,
  rateLimit: 0.01,
  rateLimitError: 0.01,
  capRange: 0.1,
}

const lastBlockIs = (params: unknown, number: bigint): boolean =>
  Array.isArray(params) && params[0] === `0x${number.toString(16)}`

/** The response to eth_getLogs of a node that lacks the block, and viem's error for eth_getBlockByNumber. */
const expectUnknownBlock = (error: unknown) =>
  expect(String(error)).toMatch(/unknown block|ChainChangedError/)

/** One pass as the job makes it: an error of the node ends the pass, and the next one continues. */
async function pollOnce(depositWatch: DepositWatch): Promise<void> {
  await depositWatch.poll().catch((error: unknown) => {
    if (!(error instanceof BaseError)) throw error
  })
}

async function rawTransaction(hash: `0x${string}`): Promise<`0x${string}`> {
  const raw = await devChain.client.request({
    // viem does not list this method of nodes.
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash],
  })
  // The method returns the signed bytes, not the transaction that the disguise promises.
  return raw as unknown as `0x${string}`
}
