import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { decodeResults, encodeReads, type Read } from './multicall-reads.ts'

const abi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[])',
])
const read = (data: string): Read => ({ target: `0x${'a'.repeat(40)}`, data })

/** A Multicall3 that returns the call data of each read, and fails reads that begin with ff. */
function echo(data: Hex): Hex {
  const { args } = decodeFunctionData({ abi, data })
  const result = args[1].map(({ callData }) => ({
    success: !callData.startsWith('0xff'),
    returnData: callData,
  }))
  return encodeFunctionResult({ abi, functionName: 'tryAggregate', result })
}

it('packs and unpacks as a general ABI encoder does', () => {
  const reads = ['', '01', 'ab'.repeat(32), 'cd'.repeat(33), 'ff00', 'ef'.repeat(200)].map(read)
  const decoded = decodeFunctionData({ abi, data: encodeReads(reads) })
  expect(decoded.args).toEqual([
    false,
    reads.map(({ target, data }) => ({
      target: expect.stringMatching(new RegExp(target, 'i')),
      callData: `0x${data}`,
    })),
  ])
  expect(decodeResults(echo(encodeReads(reads)), reads.length)).toEqual(
    reads.map(({ data }) => ({ success: data !== 'ff00', data })),
  )
})

it.each([
  ['nothing', '0x'],
  ['a truncated response', echo(encodeReads([read('01')])).slice(0, -64)],
  ['one result too many', echo(encodeReads([read('01'), read('02')]))],
  ['an offset beyond all', `0x${'f'.repeat(64)}${'0'.repeat(512)}`],
])('treats %s as a failed call', (_, response) => {
  expect(() => decodeResults(response, 1)).toThrow(/Multicall3/)
})
