import { describe, expect, it } from 'vitest'
import { create, get, importAll, list, rename, settle } from '../testdata/things.ts'

describe('an operation', () => {
  it('is its shape as well as a function', () => {
    expect(typeof get).toBe('function')
    expect({ ...get }).toMatchObject({
      id: 'things.get',
      door: 'gateway',
      method: 'GET',
      path: '/api/v1/things/{id}',
      source: 'stated',
      result: 'envelope',
    })
  })

  it.each([
    ['a GET reads and may be repeated', get, 'read', true],
    ['a POST writes and may not', create, 'write', false],
    ['a write may say that it may be repeated', rename, 'write', true],
    ['a GET may say that it writes', importAll, 'write', false],
    ['the facilitator is no different', settle, 'write', false],
  ])('tells its effect: %s', (_, operation, effect, idempotent) => {
    expect({ ...operation }).toMatchObject({ effect, idempotent })
  })

  it('that is paged takes a page query beside its own', () => {
    expect(Object.keys(list.query ?? {})).toEqual(['pageNumber', 'pageSize', 'orderBy', 'cursor', 'owner'])
    expect(list.paged).toBe(true)
  })
})
