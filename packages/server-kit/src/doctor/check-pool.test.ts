import { expect, it } from 'vitest'
import { describePool } from './check-pool.ts'

it('reports a pool that gives one session to two open connections', () => {
  expect(describePool([4711, 4711])).toMatchObject([
    {
      level: 'error',
      message: expect.stringContaining('transaction mode'),
      action: expect.stringContaining('session'),
    },
  ])
})

it('reports nothing for connections with sessions of their own', () => {
  expect(describePool([4711, 4712])).toEqual([])
})
