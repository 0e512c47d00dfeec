import { testChain } from '@mintmark/devkit/chain/testing'
import { startFaultyNode } from '@mintmark/devkit/nodes/faulty-node'
import { parseAbi, toEventSelector } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { openChains } from './chains.ts'
import { ChainChangedError } from './header-parsing.ts'
import { createLogReader, type LogReaderOptions } from './log-reader.ts'

const devChain = await testChain()
const node = await startFaultyNode(devChain.rpcUrl)
afterAll(() => node.close())

const recipient = '0x00000000000000000000000000000000000000aa'
const filter = {
  addresses: [devChain.token],
  topics: [toEventSelector('Transfer(address,address,uint256)')],
}

beforeEach(() => {
  node.catchUp()
  node.lags = () => true
  node.interfere = () => undefined
  node.refuseBatches = false
  node.faults = undefined
})

/** Records the methods of each HTTP request from now on. */
function recordRequests(): string[][] {
  const requests: string[][] = []
  node.faults = { next: (methods) => void requests.push(methods.split(' ')) }
  return requests
}

/** A new reader: an earlier test may have refused batches. */
function createReader(options: LogReaderOptions = {}) {
  const [chain] = openChains([{ id: 84532, rpcUrls: [node.url], finality: { depth: 1 } }]).all
  if (chain === undefined) throw new Error('One chain is configured')
  return createLogReader(chain, options)
}

/** Sends a token transfer in a block of its own. */
async function transfer() {
  const hash = await devChain.as(1).writeContract({
    address: devChain.token,
    abi: parseAbi(['function transfer(address to, uint256 value) returns (bool)']),
    functionName: 'transfer',
    args: [recipient, 1n],
  })
  const { blockNumber } = await devChain.client.waitForTransactionReceipt({ hash })
  return { hash, block: Number(blockNumber) }
}

const mine = (blocks: number) => devChain.client.mine({ blocks })

async function getNewest() {
  const { number, timestamp } = await devChain.client.getBlock()
  return { number: Number(number), time: Number(timestamp) }
}

const listHashes = (logs: readonly { transactionHash: string }[]) => logs.map((log) => log.transactionHash)
const countCalls = (method: string) => node.calls.filter((call) => call === method).length
const isRange = (params: unknown) => JSON.stringify(params).includes('fromBlock')
const blocksOf = (params: unknown) => {
  // The parameter of eth_getLogs.
  const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
  return Number(toBlock) - Number(fromBlock) + 1
}

/** Reads until `to`, as the callers do. */
async function readAll(reader: ReturnType<typeof createReader>, from: number, to: number) {
  const newest = await getNewest()
  const hashes: string[] = []
  const ends: number[] = []
  for (let next = from; next <= to; ) {
    const range = await reader.read({ filter, from: next, to, newest })
    hashes.push(...listHashes(range.logs))
    ends.push(range.to)
    expect(range.headers.at(-1)?.number).toBe(range.to)
    next = range.to + 1
  }
  return { hashes, ends }
}

it('a range of blocks is read in one batch with the header of its last block', async () => {
  const { hash, block } = await transfer()
  await mine(30)
  node.calls.length = 0
  const { number: to } = await getNewest()
  const range = await createReader({ recentSeconds: 0 }).read({
    filter,
    from: block,
    to,
    newest: await getNewest(),
  })
  expect(listHashes(range.logs)).toEqual([hash])
  expect(range.to).toBe(to)
  const header = 'eth_getBlockByNumber'
  expect(node.calls).toEqual([header, header, 'eth_getLogs', header])
})

it('a range of blocks ends at the newest block of a node that lags, and is refused by a node without its first block', async () => {
  const { block, hash } = await transfer()
  await mine(20)
  await node.lag()
  await transfer()
  await mine(3)
  const newest = await getNewest()
  const reader = createReader({ recentSeconds: 0 })
  const range = await reader.read({ filter, from: block, to: newest.number, newest })
  expect(range).toMatchObject({ to: block + 20, headers: [{ number: block + 20 }] })
  expect(listHashes(range.logs)).toEqual([hash])
  const rest = reader.read({ filter, from: range.to + 1, to: newest.number, newest })
  await expect(rest).rejects.toThrow(ChainChangedError)
  await expect(rest).rejects.toThrow(`block ${range.to + 1} is missing`)
})

it('a range of blocks is refused when its last block changes while it is read', async () => {
  const { block } = await transfer()
  await mine(3)
  const newest = await getNewest()
  let headers = 0
  node.interfere = (method) => {
    if (method !== 'eth_getBlockByNumber') return undefined
    headers += 1
    const hash = `0x${String(headers).repeat(64)}`
    return { result: { number: '0x1', hash, parentHash: hash, timestamp: '0x1' } }
  }
  const reading = createReader({ recentSeconds: 0 }).read({
    filter,
    from: block,
    to: newest.number,
    newest,
  })
  await expect(reading).rejects.toThrow('changed')
})

it('a range of blocks is refused when it does not follow the block before it', async () => {
  const { block } = await transfer()
  await mine(30)
  const newest = await getNewest()
  const request = { filter, from: block, to: newest.number, newest, parentHash: `0x${'1'.repeat(64)}` }
  for (const recentSeconds of [0, 60]) {
    const reading = createReader({ recentSeconds }).read(request)
    await expect(reading).rejects.toThrow(`block ${block} has another parent`)
  }
})

it('a range of blocks is halved after each refusal, grows again, and is read without a gap', async () => {
  const first = await transfer()
  await mine(20)
  const second = await transfer()
  await mine(60)
  const { number: to } = await getNewest()
  const refused: number[] = []
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs' || !isRange(params) || blocksOf(params) <= 10) return undefined
    refused.push(blocksOf(params))
    return { error: { code: -32602, message: 'query returned more than 10000 results' } }
  }
  const reader = createReader({ maxBlocks: 80, recentSeconds: 0 })
  const { hashes, ends } = await readAll(reader, first.block, to)
  expect(hashes).toEqual([first.hash, second.hash])
  expect(refused.slice(0, 3)).toEqual([80, 40, 20])
  expect(ends.at(-1)).toBe(to)
  node.interfere = () => undefined
  const later = await readAll(reader, first.block, to)
  expect(later.hashes).toEqual(hashes)
  expect(later.ends.length).toBeLessThan(ends.length)
})

it('a range of blocks is requested again, not halved, after a pause when the node limits the rate of requests', async () => {
  const { block, hash } = await transfer()
  await mine(20)
  const newest = await getNewest()
  const ranges: number[] = []
  node.interfere = (method, params) => {
    if (method !== 'eth_getLogs') return undefined
    ranges.push(blocksOf(params))
    return ranges.length < 3 ? { error: { code: 429, message: 'compute units per second' } } : undefined
  }
  const reader = createReader({ recentSeconds: 0 })
  const range = await reader.read({ filter, from: block, to: newest.number, newest })
  expect(listHashes(range.logs)).toEqual([hash])
  expect(new Set(ranges)).toEqual(new Set([newest.number - block + 1]))
})

it('a range of blocks is read by single requests from a node that refuses batches', async () => {
  const { block, hash } = await transfer()
  await mine(20)
  const newest = await getNewest()
  node.refuseBatches = true
  const reader = createReader({ recentSeconds: 0 })
  const range = await reader.read({ filter, from: block, to: newest.number, newest })
  expect(listHashes(range.logs)).toEqual([hash])
  expect(range.to).toBe(newest.number)
})

it('the newest blocks are read by hash, so that a node for logs that lags cannot return incomplete logs', async () => {
  const { number: from } = await getNewest()
  await node.lag()
  node.lags = (method) => method === 'eth_getLogs'
  const { hash } = await transfer()
  await mine(30)
  const newest = await getNewest()
  const request = { filter, from: from + 1, to: newest.number, newest }
  await expect(createReader().read(request)).rejects.toThrow('unknown block')
  node.catchUp()
  expect((await readAll(createReader(), from + 1, newest.number)).hashes).toEqual([hash])
})

it('the newest blocks are read in batches of headers and of logs', async () => {
  const { block, hash } = await transfer()
  await mine(30)
  const { number: to } = await getNewest()
  const requests = recordRequests()
  const { hashes, ends } = await readAll(createReader(), block, to)
  expect(hashes).toEqual([hash])
  expect(ends).toEqual([to])
  expect(requests.length).toBeLessThanOrEqual(6)
  expect(requests.filter(([method]) => method === 'eth_getLogs').map(({ length }) => length)).toEqual([
    16, 15,
  ])
})

it('the newest blocks are read one by one if a batch of their logs is too large', async () => {
  const { block } = await transfer()
  await mine(30)
  const { number: to } = await getNewest()
  const padding = 'x'.repeat(1024 * 1024)
  node.interfere = (method, params) =>
    method === 'eth_getLogs' && !isRange(params) ? { result: [], padding } : undefined
  const requests = recordRequests()
  const { ends } = await readAll(createReader(), block, to)
  expect(ends).toEqual([to])
  expect(
    requests.filter(([method], index) => method === 'eth_getLogs' && requests[index]?.length === 1),
  ).toHaveLength(31)
})

it('the newest blocks are returned up to the first one whose logs contradict its header', async () => {
  const { block, hash } = await transfer()
  const later = await transfer()
  await mine(20)
  const { hash: laterHash } = await devChain.client.getBlock({ blockNumber: BigInt(later.block) })
  node.interfere = (method, params) =>
    method === 'eth_getLogs' && JSON.stringify(params).includes(laterHash)
      ? { result: [{ blockHash: `0x${'1'.repeat(64)}` }] }
      : undefined
  const newest = await getNewest()
  const request = { filter, from: block, to: newest.number, newest }
  const range = await createReader().read(request)
  expect(range).toMatchObject({ from: block, to: later.block - 1 })
  expect(listHashes(range.logs)).toEqual([hash])
  const rest = createReader().read({ ...request, from: later.block })
  await expect(rest).rejects.toThrow('logs of another block')
})

it('the newest blocks are returned up to the first one that does not follow the one before', async () => {
  const { block, hash } = await transfer()
  await mine(20)
  const replaced = `0x${(block + 3).toString(16)}`
  const other = `0x${'1'.repeat(64)}`
  node.interfere = (method, params) => {
    if (method === 'eth_getLogs' && JSON.stringify(params).includes(other)) return { result: [] }
    // The first parameter of this method is the number of the block.
    if (method !== 'eth_getBlockByNumber' || (params as string[])[0] !== replaced) return undefined
    return { result: { number: replaced, hash: other, parentHash: other, timestamp: '0x1' } }
  }
  const newest = await getNewest()
  const recentSeconds = Number.POSITIVE_INFINITY
  const request = { filter, from: block, to: newest.number, newest }
  const range = await createReader({ recentSeconds }).read(request)
  expect(range).toMatchObject({ from: block, to: block + 2 })
  expect(listHashes(range.logs)).toEqual([hash])
})

it('the newest blocks are the only ones that are read by hash: blocks far from the head are read in ranges', async () => {
  const first = await transfer()
  await devChain.client.mine({ blocks: 200, interval: 1 })
  const { number } = await getNewest()
  const filters: string[] = []
  node.interfere = (method, params) => {
    if (method === 'eth_getLogs') filters.push(JSON.stringify(params))
    return undefined
  }
  await readAll(createReader({ maxBlocks: 30 }), first.block, number - 70)
  expect(filters).toHaveLength(5)
  expect(filters.filter((each) => each.includes('blockHash'))).toEqual([])
})

it('the newest blocks are those of the last 60 seconds, and earlier blocks are read in ranges', async () => {
  const first = await transfer()
  await devChain.client.mine({ blocks: 200, interval: 1 })
  const last = await transfer()
  await devChain.client.mine({ blocks: 5, interval: 1 })
  const { number: to } = await getNewest()
  node.calls.length = 0
  const { hashes, ends } = await readAll(createReader(), first.block, to)
  expect(hashes).toEqual([first.hash, last.hash])
  expect(to - (ends[0] ?? 0)).toBeGreaterThanOrEqual(59)
  expect(to - (ends[0] ?? 0)).toBeLessThanOrEqual(62)
  expect(countCalls('eth_getLogs')).toBeLessThan(70)
})

it('the newest blocks are returned up to the first one that the node lacks', async () => {
  const { block, hash } = await transfer()
  await mine(6)
  const newest = await getNewest()
  await node.lag(3)
  const range = await createReader().read({ filter, from: block, to: newest.number, newest })
  expect(range).toMatchObject({ from: block, to: newest.number - 3 })
  expect(listHashes(range.logs)).toEqual([hash])
  expect(range.headers.map(({ number }) => number)).toEqual([block, block + 1, block + 2, block + 3])
})

const REPLACED = `0x${'1'.repeat(64)}`
const getFinal = async () => ({ ...(await getNewest()), hash: (await devChain.client.getBlock()).hash })

it.each([
  ['a range', 0],
  ['blocks by hash', Number.POSITIVE_INFINITY],
  ['a range before recent blocks', 60],
])(
  'with the hash of the newest block, %s is read from a node that has the block, and refused by a node with another version of it',
  async (_, recentSeconds) => {
    const { block, hash } = await transfer()
    await devChain.client.mine({ blocks: 40, interval: 3 })
    const newest = await getFinal()
    const request = { filter, from: block, to: newest.number, newest }
    const range = await createReader({ recentSeconds }).read(request)
    expect(listHashes(range.logs)).toEqual([hash])
    const replaced = { ...request, newest: { ...newest, hash: REPLACED } }
    const reading = createReader({ recentSeconds }).read(replaced)
    await expect(reading).rejects.toThrow(ChainChangedError)
    await expect(reading).rejects.toThrow(`block ${newest.number} is another one, or is missing`)
  },
)

it.each([
  ['a range', 0],
  ['blocks by hash', Number.POSITIVE_INFINITY],
])(
  'with the hash of the newest block, %s before it is read from a node that has the block',
  async (_, recentSeconds) => {
    const { block } = await transfer()
    await mine(12)
    const newest = await getFinal()
    const request = { filter, from: block, to: block + 4, newest }
    expect(await createReader({ recentSeconds }).read(request)).toMatchObject({ to: block + 4 })
    await node.lag(3)
    const reading = createReader({ recentSeconds }).read(request)
    await expect(reading).rejects.toThrow(`block ${newest.number} is another one, or is missing`)
  },
)

it('with the hash of the newest block, the new end of a range whose last blocks are recent is read in one request with its last block', async () => {
  const { block } = await transfer()
  await devChain.client.mine({ blocks: 40, interval: 3 })
  const newest = await getFinal()
  const requests = recordRequests()
  const range = await createReader().read({ filter, from: block, to: newest.number, newest })
  expect(range.to).toBe(newest.number - 20)
  expect(requests.at(-1)).toEqual(['eth_getBlockByNumber', 'eth_getBlockByNumber'])
})
