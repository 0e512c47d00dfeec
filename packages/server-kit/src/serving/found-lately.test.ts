import { expect, it } from 'vitest'
import { foundLately } from './found-lately.ts'

function counting(answers: Record<string, string | undefined>) {
  const looked: string[] = []
  const clock = { time: 0 }
  const find = foundLately(
    async (name: string) => {
      looked.push(name)
      return answers[name]
    },
    { keptMs: 1000, most: 2, now: () => clock.time },
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

it('looks each time for what is not there', async () => {
  const { find, looked } = counting({})
  expect(await find('b')).toBeUndefined()
  expect(await find('b')).toBeUndefined()
  expect(looked).toEqual(['b', 'b'])
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
