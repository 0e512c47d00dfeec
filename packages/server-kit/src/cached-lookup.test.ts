import { expect, it } from 'vitest'
import { cacheLookup } from './cached-lookup.ts'

function createLookup(values: Record<string, string | undefined>) {
  const lookups: string[] = []
  const clock = { time: 0 }
  const find = cacheLookup(
    async (name: string) => {
      lookups.push(name)
      return values[name]
    },
    { ttlMs: 1000, maxValues: 2, maxMissing: 2, now: () => clock.time },
  )
  return { find, lookups, clock }
}

it('shares one lookup among concurrent calls for a name, and repeats it when its time to live has passed', async () => {
  const { find, lookups, clock } = createLookup({ a: 'A' })
  expect(await Promise.all([find('a'), find('a')])).toEqual(['A', 'A'])
  clock.time = 999
  expect(await find('a')).toBe('A')
  expect(lookups).toEqual(['a'])
  clock.time = 1000
  await find('a')
  expect(lookups).toEqual(['a', 'a'])
})

it('caches that a name was not found, and finds it when the time to live has passed', async () => {
  const values: Record<string, string | undefined> = {}
  const { find, lookups, clock } = createLookup(values)
  expect(await find('b')).toBeUndefined()
  values.b = 'B'
  clock.time = 999
  expect(await find('b')).toBeUndefined()
  expect(lookups).toEqual(['b'])
  clock.time = 1000
  expect(await find('b')).toBe('B')
  expect(lookups).toEqual(['b', 'b'])
})

it('limits the cached names that were not found, without evicting cached values', async () => {
  const { find, lookups } = createLookup({ a: 'A' })
  await find('a')
  for (const name of ['x', 'y', 'z', 'x']) await find(name)
  await find('a')
  expect(lookups).toEqual(['a', 'x', 'y', 'z', 'x'])
})

it('repeats a lookup that failed', async () => {
  let broken = true
  const find = cacheLookup(async () => {
    if (broken) throw new Error('no database')
    return 'A'
  })
  await expect(find('a')).rejects.toThrow('no database')
  broken = false
  expect(await find('a')).toBe('A')
})

it('limits the cached values', async () => {
  const { find, lookups } = createLookup({ a: 'A', b: 'B', c: 'C' })
  for (const name of ['a', 'b', 'c', 'a']) await find(name)
  expect(lookups).toEqual(['a', 'b', 'c', 'a'])
})
