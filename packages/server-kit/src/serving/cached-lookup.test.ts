import { expect, it } from 'vitest'
import { foundLately } from './cached-lookup.ts'

function counting(answers: Record<string, string | undefined>) {
  const looked: string[] = []
  const clock = { time: 0 }
  const find = foundLately(
    async (name: string) => {
      looked.push(name)
      return answers[name]
    },
    { keptMs: 1000, most: 2, mostMissing: 2, now: () => clock.time },
  )
  return { find, looked, clock }
}

it('looks once for calls that come together, and again after its moment', async () => {
  const { find, looked, clock } = counting({ a: 'A' })
  expect(await Promise.all([find('a'), find('a')])).toEqual(['A', 'A'])
  clock.time = 999
  expect(await find('a')).toBe('A')
  expect(looked).toEqual(['a'])
  clock.time = 1000
  await find('a')
  expect(looked).toEqual(['a', 'a'])
})

it('keeps a name that was not found for a second, and finds it then', async () => {
  const answers: Record<string, string | undefined> = {}
  const { find, looked, clock } = counting(answers)
  expect(await find('b')).toBeUndefined()
  answers.b = 'B'
  clock.time = 999
  expect(await find('b')).toBeUndefined()
  expect(looked).toEqual(['b'])
  clock.time = 1000
  expect(await find('b')).toBe('B')
  expect(looked).toEqual(['b', 'b'])
})

it('keeps a bounded number of names that were not found, and pushes no name out that was found', async () => {
  const { find, looked } = counting({ a: 'A' })
  await find('a')
  for (const name of ['x', 'y', 'z', 'x']) await find(name)
  await find('a')
  expect(looked).toEqual(['a', 'x', 'y', 'z', 'x'])
})

it('looks again after a look-up that failed', async () => {
  let broken = true
  const find = foundLately(async () => {
    if (broken) throw new Error('no database')
    return 'A'
  })
  await expect(find('a')).rejects.toThrow('no database')
  broken = false
  expect(await find('a')).toBe('A')
})

it('keeps only so many', async () => {
  const { find, looked } = counting({ a: 'A', b: 'B', c: 'C' })
  for (const name of ['a', 'b', 'c', 'a']) await find(name)
  expect(looked).toEqual(['a', 'b', 'c', 'a'])
})
