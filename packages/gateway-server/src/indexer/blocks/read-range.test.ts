import type { BlockHeader, NodeLog } from '@mintmark/evm-reader'
import { expect, it } from 'vitest'
import type { BlockSource } from './block-source.ts'
import { type RangeRequest, readRange } from './read-range.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const toHex = (number: number) => `0x${number.toString(16)}` as const
const header = (number: number): BlockHeader => ({
  number,
  hash: `h${number}`,
  parentHash: `h${number - 1}`,
  time: 1_000 + number,
})

function createLog(number: number, fields: Partial<NodeLog> = {}): NodeLog {
  return {
    address: '0xA',
    topics: [TRANSFER, toHex(1), toHex(2), toHex(number)],
    data: '0x',
    blockNumber: toHex(number),
    blockHash: `h${number}`,
    blockTimestamp: toHex(1_000 + number),
    transactionHash: `t${number}`,
    logIndex: '0x0',
    ...fields,
  }
}

/** A node that returns these logs of the blocks up to 100. */
function createSource(logs: readonly NodeLog[]) {
  const requested: number[] = []
  const parents: (string | undefined)[] = []
  const source: BlockSource = {
    chainId: '1',
    getHead: async () => header(100),
    getFinalBlock: async () => 50,
    getHeaders: async (numbers) => {
      requested.push(...numbers)
      return numbers.map(header)
    },
    compareBlock: async () => 'same',
    readTransfers: async ({ from, to, parentHash }) => {
      parents.push(parentHash)
      return { from, to, logs, headers: [header(to)] }
    },
    listHasCode: async () => [],
  }
  return { source, requested, parents }
}

const request: RangeRequest = {
  from: 10,
  to: 100,
  newest: header(100),
  addresses: ['0xa'],
  keepFrom: Number.POSITIVE_INFINITY,
  storedHashes: new Map(),
  getFinalBlock: async () => 50,
}

it('takes the times of final blocks from their logs, and reads the headers of later blocks', async () => {
  const { source, requested } = createSource([20, 50, 51, 99, 100].map((number) => createLog(number)))
  const { times, transfers, headers } = await readRange(source, request)
  expect(requested).toEqual([51, 99])
  expect(transfers.map(({ block }) => times.get(block))).toEqual([1_020, 1_050, 1_051, 1_099, 1_100])
  expect(headers).toEqual([header(100)])
})

const { blockTimestamp: _, ...withoutTime } = createLog(20)

it.each([
  ['lacks', withoutTime],
  ['is null in', createLog(20, { blockTimestamp: null })],
  ['is 0 in', createLog(20, { blockTimestamp: '0x0' })],
  ['is later than that of the last block in', createLog(20, { blockTimestamp: toHex(5_000) })],
])('reads the header of a final block whose time %s its logs', async (_, log) => {
  const { source, requested } = createSource([log])
  const { times } = await readRange(source, request)
  expect(requested).toEqual([20])
  expect(times.get(20)).toBe(1_020)
})

it('does not read the final block if all headers were read with the logs', async () => {
  const { source } = createSource([createLog(100)])
  const getFinalBlock = async () => {
    throw new Error('unexpected request')
  }
  await expect(readRange(source, { ...request, getFinalBlock })).resolves.toMatchObject({ to: 100 })
})

it.each([
  ['another hash than the stored one', [createLog(20, { blockHash: 'other' })], new Map([[20, 'h20']])],
  ['two hashes', [createLog(20), createLog(20, { blockHash: 'other', logIndex: '0x1' })], new Map()],
  ['another hash than the header', [createLog(60, { blockHash: 'other' })], new Map()],
])('refuses logs of one block with %s', async (_, logs, storedHashes) => {
  const { source } = createSource(logs)
  await expect(readRange(source, { ...request, storedHashes })).rejects.toThrow('changed')
})

it('requires that a range follows the stored block, or else the block that was read before it', async () => {
  const { source, parents } = createSource([])
  await readRange(source, { ...request, parent: { number: 9, hash: 'p9' } })
  await readRange(source, {
    ...request,
    parent: { number: 9, hash: 'p9' },
    storedHashes: new Map([[9, 's9']]),
  })
  await readRange(source, { ...request, parent: { number: 8, hash: 'p8' } })
  expect(parents).toEqual(['p9', 's9', undefined])
})
