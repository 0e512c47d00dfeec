import { NotFoundError } from '@mintmark/envelope'
import { expect, it } from 'vitest'
import { aThing, check, create, get, list } from '../testdata/things.ts'
import { respondTo, testClient } from './testing.ts'

it('testClient returns the given data and records the calls', async () => {
  const gateway = testClient('gateway', [
    respondTo(get, ({ id }) => ({ ...aThing, name: id })),
    respondTo(create, aThing),
  ])
  expect(await get(gateway, { id: 'seven' })).toEqual({ ...aThing, name: 'seven' })
  expect(await create(gateway, { name: 'x' })).toEqual(aThing)
  expect(gateway.calls).toEqual([
    { operation: 'things.get', input: { id: 'seven' } },
    { operation: 'things.create', input: { name: 'x' } },
  ])
})

it('testClient returns data for operations of the facilitator', async () => {
  const facilitator = testClient('facilitator', [respondTo(check, { success: true, transaction: '0x1' })])
  expect(await check(facilitator, { version: 1 })).toEqual({ success: true, transaction: '0x1' })
})

it('testClient throws the given error', async () => {
  const gateway = testClient('gateway', [
    respondTo(get, () => {
      throw new NotFoundError('things.get: 404', { operation: 'things.get', status: 404 })
    }),
  ])
  await expect(get(gateway, { id: '7' })).rejects.toBeInstanceOf(NotFoundError)
})

it('testClient rejects the same inputs as a real client', async () => {
  const gateway = testClient('gateway', [respondTo(create, aThing)])
  await expect(create(gateway, { name: '' })).rejects.toMatchObject({ kind: 'InvalidInput' })
  expect(gateway.calls).toEqual([])
})

it('testClient returns pages to a paged operation', async () => {
  const page = { firstPage: true, orderBy: '', pageSize: 1, paras: {}, totalPage: 2, totalRow: 2 }
  const gateway = testClient('gateway', [
    respondTo(list, ({ pageNumber = 1 }) => ({
      ...page,
      pageNumber,
      lastPage: pageNumber === 2,
      list: [{ ...aThing, id: pageNumber }],
    })),
  ])
  const ids: number[] = []
  for await (const { id } of list.items(gateway, { owner: '0xaa' })) ids.push(id)
  expect(ids).toEqual([1, 2])
})

it('testClient reports an operation without a response', async () => {
  await expect(get(testClient('gateway', []), { id: '7' })).rejects.toThrow('no response for things.get')
})
