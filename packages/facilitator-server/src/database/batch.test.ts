import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
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

test('fails all items of a batch whose connection was lost, without a retry, and runs later items', async () => {
  let runs = 0
  const work = batch(
    async (items: number[]) => {
      runs += 1
      if (runs === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
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
