import { NetworkError, NotFoundError } from '@mintmark/envelope'
import { expect, it } from 'vitest'
import { createQueryClient } from './query-client.ts'

const queryKey = ['operation', 1, 'eventWebhooks.get', { id: 7 }]
const details = { operation: 'eventWebhooks.get' }

/** Reads a record, then once more with an error. Returns what the cache has afterwards. */
async function readAgain(error: Error): Promise<unknown> {
  const client = createQueryClient()
  await client.fetchQuery({ queryKey, queryFn: async () => ({ id: 7 }) })
  const again = client.fetchQuery({ queryKey, queryFn: () => Promise.reject(error), staleTime: 0 })
  await expect(again).rejects.toBe(error)
  expect(client.getQueryState(queryKey)?.error).toBe(error)
  return client.getQueryData(queryKey)
}

it('forgets a record that no longer exists when it is read again', async () => {
  expect(await readAgain(new NotFoundError('No such webhook', details))).toBeUndefined()
})

it('keeps a record that could not be read again', async () => {
  expect(await readAgain(new NetworkError('No response', details))).toEqual({ id: 7 })
})
