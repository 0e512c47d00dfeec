import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesce, coalesceBy } from './batch.ts'

test('what comes together runs together, what comes meanwhile runs next, and each gets its own result', async () => {
  const runs: number[][] = []
  const double = coalesce(
    async (items: number[]) => {
      runs.push(items)
      await pause(5)
      return items.map((item) => item * 2)
    },
    { most: 3 },
  )
  const first = [1, 2].map(double)
  await new Promise((resolve) => setImmediate(resolve))
  const later = [3, 4, 5, 6].map(double)
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12])
  expect(runs).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('a bad item fails alone', async () => {
  const root = coalesce(
    async (items: number[]) => {
      if (items.includes(-1)) throw new RangeError('no root')
      return items.map(Math.sqrt)
    },
    { most: 10 },
  )
  const results = await Promise.allSettled([4, -1, 9].map(root))
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([2, 'no root', 3])
})

test('a lost connection fails all that ran together, at once, and those after it run', async () => {
  let runs = 0
  const work = coalesce(
    async (items: number[]) => {
      runs += 1
      if (runs === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
      return items
    },
    { most: 10 },
  )
  expect((await Promise.allSettled([1, 2, 3].map(work))).map(({ status }) => status)).toEqual(
    Array(3).fill('rejected'),
  )
  expect(runs).toBe(1)
  expect(await work(4)).toBe(4)
})

test('a run that answers for another number of items is an error, not a wrong answer', async () => {
  const broken = coalesce(async () => [], { most: 10 })
  await expect(broken(1)).rejects.toThrow('1 items got 0 results')
})

test('keys run beside each other', async () => {
  let open: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const work = coalesceBy(
    async (key: string, items: number[]) => {
      if (key === 'slow') await gate
      return items
    },
    { most: 10 },
  )
  const slow = work('slow', 1)
  expect(await work('quick', 2)).toBe(2)
  open()
  expect(await slow).toBe(1)
})
