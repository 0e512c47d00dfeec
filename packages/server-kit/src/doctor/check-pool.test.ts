import { expect, it } from 'vitest'
import { describePool } from './check-pool.ts'

it('reports a pool that shares sessions, and what to do', () => {
  expect(describePool(true)).toMatchObject([
    {
      level: 'error',
      message: expect.stringContaining('transaction mode'),
      action: expect.stringContaining('pool_mode = session'),
    },
  ])
})

it('reports nothing for connections with sessions of their own', () => {
  expect(describePool(false)).toEqual([])
})
