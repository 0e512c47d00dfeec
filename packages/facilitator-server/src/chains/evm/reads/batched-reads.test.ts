import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { createBatchedReads, decodeResults, encodeReads, type Read } from './batched-reads.ts'

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

it('packs and unpacks as a general ABI encoder does', async () => {
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

it('batches the reads of one turn in one call and returns each caller its own results', async () => {
  const calls: Hex[] = []
  const reads = createBatchedReads(async (data) => {
    calls.push(data)
    return echo(data)
  })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => reads.read([read(`${10 + index}`), read('ff')])),
  )
  expect(calls).toHaveLength(1)
  expect(responses.map(([own]) => own?.data)).toEqual(
    Array.from({ length: 50 }, (_, index) => `${10 + index}`),
  )
  expect(responses.every(([, failing]) => failing?.success === false)).toBe(true)
})

it('limits the reads per call and the concurrent calls, and returns all results', async () => {
  let atOnce = 0
  let most = 0
  const sizes: number[] = []
  const reads = createBatchedReads(async (data) => {
    atOnce += 1
    most = Math.max(most, atOnce)
    sizes.push(decodeFunctionData({ abi, data }).args[1].length)
    await new Promise((resolve) => setTimeout(resolve, 1))
    atOnce -= 1
    return echo(data)
  })
  const responses = await Promise.all(
    Array.from({ length: 2000 }, () => reads.read([read('01'), read('02')])),
  )
  expect(responses.every((response) => response.length === 2)).toBe(true)
  expect(most).toBeLessThanOrEqual(4)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(240)
})

it('rejects every read that shared a failed call, and executes later reads', async () => {
  let fail = true
  const reads = createBatchedReads(async (data) => {
    if (fail) throw new Error('the node is gone')
    return echo(data)
  })
  const outcomes = await Promise.allSettled([reads.read([read('01')]), reads.read([read('02')])])
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
  fail = false
  expect(await reads.read([read('03')])).toEqual([{ success: true, data: '03' }])
})

it.each([
  ['nothing', '0x'],
  ['a truncated response', echo(encodeReads([read('01')])).slice(0, -64)],
  ['one result too many', echo(encodeReads([read('01'), read('02')]))],
  ['an offset beyond all', `0x${'f'.repeat(64)}${'0'.repeat(512)}`],
])('treats %s as a failed call', (_, response) => {
  expect(() => decodeResults(response, 1)).toThrow(/Multicall3/)
})
