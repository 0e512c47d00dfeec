import { setTimeout as pause } from 'node:timers/promises'
import {
  type CapturedTrace,
  captureTrace,
  createLog,
  readEnvironment,
  readTracingSettings,
  startTracing,
} from '@mintmark/server-kit'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { batch, batchByKey } from './batch.ts'

test('runs items in batches of limited size and returns each item its own result', async () => {
  const runs: number[][] = []
  const double = batch(
    async (items: number[]) => {
      runs.push(items)
      await pause(5)
      return items.map((item) => item * 2)
    },
    { maxItems: 3 },
  )
  const first = [1, 2].map(double)
  await new Promise((resolve) => setImmediate(resolve))
  const later = [3, 4, 5, 6].map(double)
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12])
  expect(runs).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('fails only the bad item of a batch', async () => {
  const root = batch(
    async (items: number[]) => {
      if (items.includes(-1)) throw new RangeError('no root')
      return items.map(Math.sqrt)
    },
    { maxItems: 10 },
  )
  const results = await Promise.allSettled([4, -1, 9].map(root))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([2, 'no root', 3])
})

const lost = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
const timedOut = Object.assign(
  new pg.DatabaseError('canceling statement due to statement timeout', 1, 'error'),
  {
    code: '57014',
  },
)

test.each([
  ['whose connection was lost', lost],
  ['whose connection does not respond', new Error('Query read timeout')],
  ['whose statement exceeded its timeout', timedOut],
])('fails all items of a batch %s, without a retry, and runs later items', async (_, error) => {
  let runs = 0
  const work = batch(
    async (items: number[]) => {
      runs += 1
      if (runs === 1) throw error
      return items
    },
    { maxItems: 10 },
  )
  expect((await Promise.allSettled([1, 2, 3].map(work))).map(({ status }) => status)).toEqual(
    Array(3).fill('rejected'),
  )
  expect(runs).toBe(1)
  expect(await work(4)).toBe(4)
})

test('rejects the items of a batch that returns the wrong number of results', async () => {
  const broken = batch(async () => [], { maxItems: 10 })
  await expect(broken(1)).rejects.toThrow('A batch of 1 items returned 0 results')
})

test('runs batches with different keys concurrently', async () => {
  let open: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const work = batchByKey(
    async (key: string, items: number[]) => {
      if (key === 'slow') await gate
      return items
    },
    { maxItems: 10 },
  )
  const slow = work('slow', 1)
  expect(await work('quick', 2)).toBe(2)
  open()
  expect(await slow).toBe(1)
})

test('runs heavy items alone and several runs at once, without a retry where that is useless', async () => {
  const runs: number[][] = []
  let open: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const work = batch(
    async (items: number[]) => {
      runs.push(items)
      await gate
      if (items.includes(5)) throw new Error('refused')
      return items
    },
    { maxItems: 6, weigh: (item) => item, maxConcurrentRuns: 3, retriesAlone: false },
  )
  const results = Promise.allSettled([9, 4, 2, 5, 1, 3, 3].map(work))
  await expect.poll(() => runs).toEqual([[9], [4, 2], [5, 1]])
  open()
  expect((await results).map(({ status }) => status === 'fulfilled')).toEqual(
    [9, 4, 2, 5, 1, 3, 3].map((item) => item !== 5 && item !== 1),
  )
  expect(runs).toEqual([[9], [4, 2], [5, 1], [3, 3]])
})

test('runs each of several batches in the trace of its first item', async () => {
  // Nothing receives the traces.
  const env = readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const tracing = await startTracing(readTracingSettings(env, 'batches'), createLog('batches', 'silent'))
  onTestFinished(async () => tracing?.close())
  const ran: CapturedTrace[] = []
  const work = batch(
    async (items: string[]) => {
      ran.push(captureTrace())
      await pause(5)
      return items
    },
    { maxItems: 1 },
  )
  const called = ['a', 'b', 'c'].map((name) =>
    tracing?.tracer.startActiveSpan(name, async (span) => {
      const trace = captureTrace()
      await work(name)
      span.end()
      return trace
    }),
  )
  const traces = await Promise.all(called)
  expect(new Set(traces).size).toBe(3)
  expect(ran.map((trace) => traces.indexOf(trace))).toEqual([0, 1, 2])
})
