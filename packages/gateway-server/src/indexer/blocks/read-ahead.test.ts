import { expect, it } from 'vitest'
import { createReadAhead, findContinuation, type ReadStep } from './read-ahead.ts'
import type { BlockRange } from './read-range.ts'

const head = { number: 1_000, hash: 'head', parentHash: '', time: 0 }
const step = (from: number, addresses: readonly string[] = ['0xa'], to = 1_000): ReadStep => ({
  from,
  to,
  addresses,
  head,
  advancesChain: false,
})
const createRange = (from: number): BlockRange => ({
  from,
  to: from + 9,
  transfers: [],
  times: new Map(),
  headers: [{ number: from + 9, hash: `h${from + 9}`, parentHash: '', time: 0 }],
})

function createRecorder() {
  const reads: string[] = []
  const ahead = createReadAhead(async ({ from, addresses }) => {
    reads.push(`${from} ${addresses.join()}`)
    return createRange(from)
  })
  return { reads, ahead }
}

it('reads at most three ranges before they are taken', async () => {
  const { reads, ahead } = createRecorder()
  const steps = [0, 10, 20, 30].map((from) => step(from))
  ahead.prepare(steps)
  expect(reads).toEqual(['0 0xa', '10 0xa', '20 0xa'])
  expect(await ahead.take(step(0))).toMatchObject({ from: 0 })
  ahead.prepare(steps.slice(1))
  expect(reads).toHaveLength(4)
})

it('does not read a range again whose step has a later end by now', async () => {
  const { reads, ahead } = createRecorder()
  ahead.prepare([step(0, ['0xa'], 500)])
  expect(await ahead.take(step(0, ['0xa'], 800))).toMatchObject({ from: 0, to: 9 })
  expect(reads).toHaveLength(1)
})

it('discards a range of other contracts or of another first block', async () => {
  const { reads, ahead } = createRecorder()
  ahead.prepare([step(0), step(10), step(20)])
  ahead.prepare([step(0, ['0xa', '0xb']), step(11), step(20, ['0xc'])])
  await ahead.take(step(0, ['0xa', '0xb']))
  await ahead.take(step(11))
  await ahead.take(step(20, ['0xc']))
  await ahead.take(step(10))
  const first = ['0 0xa', '10 0xa', '20 0xa']
  expect(reads).toEqual([...first, '0 0xa,0xb', '11 0xa', '20 0xc', '10 0xa'])
})

it('rejects the step whose read failed, and no other', async () => {
  const ahead = createReadAhead(async ({ from }) => {
    if (from > 0) throw new Error(`block ${from} changed`)
    return createRange(from)
  })
  ahead.prepare([step(0), step(10), step(20)])
  expect(await ahead.take(step(0))).toMatchObject({ from: 0 })
  await expect(ahead.take(step(10))).rejects.toThrow('block 10 changed')
})

it('continues a step after its range with the last block as the parent', () => {
  const range = createRange(0)
  expect(findContinuation(step(0), range)).toEqual({ ...step(10), parent: range.headers[0] })
  expect(findContinuation(step(0, ['0xa'], 9), range)).toBeUndefined()
})
