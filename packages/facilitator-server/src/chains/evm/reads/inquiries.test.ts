import type { RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import { expect, it } from 'vitest'
import { createInquire, type Inquire } from './inquiries.ts'
import type { Read, ReadResult } from './multicall-reads.ts'

const abi = parseAbi([
  'struct Call { address target; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function tryAggregate(bool requireSuccess, Call[] calls) returns (Result[])',
])
const read = (data: string): Read => ({ target: `0x${'a'.repeat(40)}`, data })

const listReads = ({ params }: RpcCall) => {
  const [{ data }] = params as [{ data: Hex }]
  return decodeFunctionData({ abi, data }).args[1]
}

/** A Multicall3 that returns the call data of each read, and fails reads that begin with ff. */
function echo([call]: readonly RpcCall[]): RpcOutcome[] {
  if (call === undefined) throw new Error('The request has no call')
  const result = listReads(call).map(({ callData }) => ({
    success: !callData.startsWith('0xff'),
    returnData: callData,
  }))
  return [{ result: encodeFunctionResult({ abi, functionName: 'tryAggregate', result }) }]
}

const readBy = async (inquire: Inquire, ...data: string[]): Promise<readonly ReadResult[]> => {
  const { reads } = await inquire({ reads: data.map(read), calls: [] })
  return reads
}

it('sends the reads of one turn in one call and returns each caller its own results', async () => {
  let requests = 0
  const inquire = createInquire({
    async requestEach(calls) {
      requests += 1
      return echo(calls)
    },
  })
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => readBy(inquire, `${10 + index}`, 'ff')),
  )
  expect(requests).toBe(1)
  expect(responses.map(([own]) => own?.data)).toEqual(
    Array.from({ length: 50 }, (_, index) => `${10 + index}`),
  )
  expect(responses.every(([, failing]) => failing?.success === false)).toBe(true)
})

it('limits the reads of a call and the concurrent calls, and returns all results', async () => {
  let running = 0
  let most = 0
  const sizes: number[] = []
  const inquire = createInquire({
    async requestEach(calls) {
      running += 1
      most = Math.max(most, running)
      sizes.push(...calls.map((call) => listReads(call).length))
      await new Promise(setImmediate)
      running -= 1
      return echo(calls)
    },
  })
  const responses = await Promise.all(Array.from({ length: 2000 }, () => readBy(inquire, '01', '02')))
  expect(responses.every(({ length }) => length === 2)).toBe(true)
  expect(most).toBeLessThanOrEqual(4)
  expect(Math.max(...sizes)).toBeLessThanOrEqual(240)
})

it('rejects every read that shared a failed call, and executes later reads', async () => {
  let isGone = true
  const inquire = createInquire({
    async requestEach(calls) {
      if (isGone) throw new Error('the node is gone')
      return echo(calls)
    },
  })
  const outcomes = await Promise.allSettled([readBy(inquire, '01'), readBy(inquire, '02')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isGone = false
  expect(await readBy(inquire, '03')).toEqual([{ success: true, data: '03' }])
})
