import type { NodeLog } from '@mintmark/evm-reader'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeTransfers, TRANSFER_TOPICS } from './transfer-logs.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const [operator, from, to] = [
  '0x00000000000000000000000000000000000000a0',
  '0x00000000000000000000000000000000000000b1',
  '0x00000000000000000000000000000000000000c2',
] as const
const MOST = 2n ** 256n - 1n

function log(topics: readonly unknown[], data: NodeLog['data'] = '0x'): NodeLog {
  return {
    address: '0x00000000000000000000000000000000000000DD',
    // Events without arrays have a single text per topic.
    topics: topics as string[],
    data,
    blockNumber: '0x10',
    blockHash: `0x${'1'.repeat(64)}`,
    transactionHash: `0x${'AB'.repeat(32)}`,
    logIndex: '0x2',
  }
}
const place = {
  block: 16,
  hash: `0x${'ab'.repeat(32)}`,
  logIndex: 2,
  from,
  to,
  nftAddress: '0x00000000000000000000000000000000000000dd',
}
const erc721 = (tokenId: bigint) =>
  encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to, tokenId } })
const single = encodeEventTopics({ abi, eventName: 'TransferSingle', args: { operator, from, to } })
const batch = encodeEventTopics({ abi, eventName: 'TransferBatch', args: { operator, from, to } })
const words = (...values: bigint[]) =>
  encodeAbiParameters(
    values.map(() => ({ type: 'uint256' })),
    values,
  )
const lists = (ids: bigint[], values: bigint[]) =>
  encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, values])

describe('decodeTransfers', () => {
  it('decodeTransfers decodes the transfer of an ERC-721 token with any uint256 as its id', () => {
    expect(decodeTransfers(log(erc721(MOST)))).toEqual([
      { ...place, batchIndex: 0, nftId: MOST.toString(), quantity: 1n },
    ])
  })

  it('decodeTransfers decodes the token and quantity of an ERC-1155 transfer', () => {
    expect(decodeTransfers(log(single, words(7n, MOST)))).toEqual([
      { ...place, batchIndex: 0, nftId: '7', quantity: MOST },
    ])
  })

  it('decodeTransfers decodes every token of a batch with its index, repeated tokens included, and omits quantity 0', () => {
    expect(decodeTransfers(log(batch, lists([7n, 8n, 9n, 7n], [1n, 0n, 3n, 4n])))).toEqual([
      { ...place, batchIndex: 0, nftId: '7', quantity: 1n },
      { ...place, batchIndex: 2, nftId: '9', quantity: 3n },
      { ...place, batchIndex: 3, nftId: '7', quantity: 4n },
    ])
  })

  it.each([
    ["an ERC-20's transfer, which has three topics", log(erc721(1n).slice(0, 3), words(5n))],
    ['another event', log([`0x${'9'.repeat(64)}`, ...single.slice(1)], words(7n, 1n))],
    ['a log without topics', log([])],
    ['a single transfer with an extra word', log(single, words(7n, 1n, 1n))],
    ['a single transfer with a missing word', log(single, words(7n))],
    ['a batch whose lists differ in length', log(batch, lists([7n, 8n], [1n]))],
    ['a batch that ends early', log(batch, words(64n, 128n, 99n))],
    ['a batch without data', log(batch)],
    ['a transfer of quantity 0', log(single, words(7n, 0n))],
  ])('decodeTransfers ignores %s', (_, each) => {
    expect(decodeTransfers(each)).toEqual([])
  })
})

it('requests events by the hashes of their signatures', () => {
  expect(TRANSFER_TOPICS).toEqual([erc721(1n)[0], single[0], batch[0]])
})
