import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTimedCache } from './timed-value.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A table that returns how often it was read, and the cached reads of it. */
function createTable({ readMs = 0, isCached = (_: number): boolean => true } = {}) {
  const database = {}
  const readCached = createTimedCache(isCached)
  const table = {
    reads: 0,
    fails: false,
    get: async (key = 'all') =>
      await readCached(database, key, async () => {
        table.reads += 1
        vi.setSystemTime(Date.now() + readMs)
        if (table.fails) throw new Error('The read failed')
        return table.reads
      }),
    /** Reads after the time has passed, and waits until a read in the background has ended. */
    getLater: async (ms: number) => {
      vi.setSystemTime(Date.now() + ms)
      const value = await table.get()
      await Promise.resolve()
      return value
    },
  }
  return table
}

it('a value that is slow to read is read again in the background after five seconds', async () => {
  const table = createTable()
  expect([await table.get(), await table.getLater(4999)]).toEqual([1, 1])
  expect(table.reads).toBe(1)
  expect(await table.getLater(1)).toBe(1)
  expect(table.reads).toBe(2)
  expect(await table.get()).toBe(2)
})

it('a value that is slow to read is not used after ten seconds', async () => {
  const table = createTable()
  await table.get()
  expect(await table.getLater(10_000)).toBe(2)
})

it.each([
  ['ten times as long as it took to read', 3000, 30_000],
  ['at most a minute', 20_000, 60_000],
])('a value that is slow to read is used for %s', async (_, readMs, ttlMs) => {
  const table = createTable({ readMs })
  await table.get()
  // Its age counts from the beginning of the read.
  expect(await table.getLater(ttlMs / 2 - readMs - 1)).toBe(1)
  expect(table.reads).toBe(1)
  expect(await table.getLater(ttlMs / 2)).toBe(1)
  expect(table.reads).toBe(2)
  // The repeated read counts anew.
  expect(await table.getLater(ttlMs / 2 - readMs - 1)).toBe(2)
  expect(table.reads).toBe(2)
  expect(await table.getLater(ttlMs)).toBe(3)
})

it('a value that is slow to read is read once for callers at the same time', async () => {
  const table = createTable()
  await table.get()
  vi.setSystemTime(Date.now() + 10_000)
  expect(await Promise.all([table.get(), table.get(), table.get()])).toEqual([2, 2, 2])
})

it('a value that is slow to read is read by each of several callers at the same time while it is not cached, or no longer', async () => {
  // A caller that has written since the first of them began to read sees what it wrote.
  const table = createTable({ isCached: (value) => value === 4 })
  expect(await Promise.all([table.get(), table.get(), table.get()])).toEqual([1, 2, 3])
  expect(await table.get()).toBe(4)
  vi.setSystemTime(Date.now() + 10_000)
  expect(await Promise.all([table.get(), table.get()])).toEqual([5, 6])
})

it('a value that is slow to read is used until it has expired if it cannot be read again, and then each call reads it', async () => {
  const table = createTable()
  await table.get()
  table.fails = true
  expect(await table.getLater(5000)).toBe(1)
  expect(await table.getLater(4999)).toBe(1)
  expect(table.reads).toBe(2)
  for (let calls = 0; calls < 2; calls += 1)
    await expect(table.getLater(1)).rejects.toThrow('The read failed')
  expect(table.reads).toBe(4)
  table.fails = false
  expect(await table.get()).toBe(5)
})

it('a value that is slow to read is read by each call while it is one of those that are not cached', async () => {
  const table = createTable({ isCached: (value) => value > 2 })
  expect([await table.get(), await table.get(), await table.get(), await table.get()]).toEqual([1, 2, 3, 3])
})

it('a value that is slow to read does not remove the others of a project with 100 of them when it is read again', async () => {
  const table = createTable()
  const keys = Array.from({ length: 100 }, (_, index) => String(index))
  for (const key of keys) await table.get(key)
  vi.setSystemTime(Date.now() + 10_000)
  await table.get('99')
  expect(table.reads).toBe(101)
  vi.setSystemTime(Date.now() - 10_000)
  for (const key of keys.slice(0, 99)) await table.get(key)
  expect(table.reads).toBe(101)
})
