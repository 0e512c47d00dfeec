import { expect, it } from 'vitest'
import type { TokenTransfer } from '../transfers/transfer-logs.ts'
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
const transfer: TokenTransfer = {
  block: 0,
  hash: '0xt',
  logIndex: 0,
  batchIndex: 0,
  nftAddress: '0xa',
  nftId: '1',
  from: '0xann',
  to: '0xben',
  quantity: 1n,
}
const createRange = (from: number, transfers = 50_000): BlockRange => ({
  from,
  to: from + 9,
  transfers: Array.from({ length: transfers }, () => transfer),
  times: new Map([[from, 1_000]]),
  headers: [{ number: from + 9, hash: `h${from + 9}`, parentHash: '', time: 0 }],
})

/** @param transfers How many transfers each range has. */
function createRecorder(transfers = 50_000) {
  const reads: string[] = []
  const ahead = createReadAhead(async ({ from, addresses }) => {
    reads.push(`${from} ${addresses.join()}`)
    return createRange(from, transfers)
  })
  return { reads, ahead }
}
/** Waits until what was started has been read. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('reads at most three steps before they are taken', async () => {
  const { reads, ahead } = createRecorder()
  const steps = ['0xa', '0xb', '0xc', '0xd'].map((address) => step(0, [address]))
  ahead.prepare(steps)
  expect(reads).toEqual(['0 0xa', '0 0xb', '0 0xc'])
  expect(await ahead.take(step(0))).toMatchObject({ from: 0, to: 9 })
  ahead.prepare(steps.slice(1))
  expect(reads.slice(3)).toEqual(['0 0xd'])
})

it('reads on until 50,000 transfers wait, and returns them as one range', async () => {
  const { reads, ahead } = createRecorder(20_000)
  ahead.prepare([step(0)])
  await settle()
  expect(reads).toEqual(['0 0xa', '10 0xa', '20 0xa'])
  const range = await ahead.take(step(0))
  expect(range).toMatchObject({ from: 0, to: 29 })
  expect(range.transfers).toHaveLength(60_000)
  expect([...range.times.keys()]).toEqual([0, 10, 20])
  expect(range.headers.map(({ number }) => number)).toEqual([9, 19, 29])
  ahead.prepare([step(30)])
  await settle()
  expect(reads.slice(3)).toEqual(['30 0xa', '40 0xa', '50 0xa'])
  expect(await ahead.take(step(30))).toMatchObject({ from: 30, to: 59 })
})

it('reads a range again that failed, and returns those before it', async () => {
  let failures = 0
  const ahead = createReadAhead(async ({ from }) => {
    if (from === 10 && failures++ === 0) throw new Error('the node is busy')
    return createRange(from)
  })
  ahead.prepare([step(0)])
  expect(await ahead.take(step(0))).toMatchObject({ from: 0, to: 9 })
  ahead.prepare([step(10)])
  await settle()
  expect(failures).toBe(1)
  expect(await ahead.take(step(10))).toMatchObject({ from: 10, to: 19 })
})

it('returns what was read without a wait for what is being read', async () => {
  let finish: (() => void) | undefined
  const ahead = createReadAhead(async ({ from }) => {
    if (from > 0) await new Promise<void>((resolve) => (finish = resolve))
    return createRange(from, 1)
  })
  ahead.prepare([step(0, ['0xa'], 19)])
  await settle()
  expect(await ahead.take(step(0, ['0xa'], 19))).toMatchObject({ from: 0, to: 9 })
  finish?.()
  expect(await ahead.take(step(10, ['0xa'], 19))).toMatchObject({ from: 10, to: 19 })
})

it('reads no more after the end of a step, or once nothing is prepared', async () => {
  const { reads, ahead } = createRecorder(1)
  ahead.prepare([step(0, ['0xa'], 19)])
  await settle()
  expect(reads).toEqual(['0 0xa', '10 0xa'])
  ahead.prepare([step(20, ['0xa'], 1_000_000_000)])
  ahead.prepare([])
  await settle()
  expect(reads.slice(2)).toEqual(['20 0xa'])
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
