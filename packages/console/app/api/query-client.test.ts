import { NetworkError, NotFoundError, UnauthorizedError } from '@mintmark/envelope'
import type { QueryClient } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { AuthError } from '../errors/auth-error.ts'
import { checkSession, createQueryClient, SESSION_KEY } from './query-client.ts'

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

describe('a call that is refused because nobody is signed in', () => {
  const refusal = new UnauthorizedError('Sign in', details)

  /** Creates a cache that has a session, whose reads it counts. */
  async function createSession() {
    const client = createQueryClient()
    const read = vi.fn(async () => ({ personId: 'kim' }))
    await client.fetchQuery({ queryKey: SESSION_KEY, queryFn: read })
    read.mockClear()
    return { client, read }
  }

  it.each([
    [
      'a read',
      (client: QueryClient) => client.fetchQuery({ queryKey, queryFn: () => Promise.reject(refusal) }),
    ],
    ['a change', (client: QueryClient) => mutate(client, refusal)],
    ['a change of the account', (client: QueryClient) => mutate(client, toAuthError(401))],
  ])('lets the console read the session again if it is %s', async (_kind, call) => {
    const { client, read } = await createSession()
    await expect(call(client)).rejects.toThrow()
    expect(read).toHaveBeenCalledOnce()
  })

  it('a call that is refused because nobody is signed in does not end a session that the server still knows', async () => {
    const { client } = await createSession()
    await checkSession(client, refusal)
    expect(client.getQueryData(SESSION_KEY)).toEqual({ personId: 'kim' })
  })

  it('reads the session once, however many calls are refused together', async () => {
    const { client, read } = await createSession()
    await Promise.all([1, 2, 3].map(() => checkSession(client, refusal)))
    expect(read).toHaveBeenCalledOnce()
  })

  it.each([
    ['of a record that does not exist', new NotFoundError('No such webhook', details)],
    ['without a connection', new NetworkError('No response', details)],
    ['of the account, for another reason', toAuthError(400)],
  ])('a call that is refused because nobody is signed in is not one %s', async (_kind, error) => {
    const { client, read } = await createSession()
    await checkSession(client, error)
    expect(read).not.toHaveBeenCalled()
  })

  function mutate(client: QueryClient, error: Error): Promise<unknown> {
    const options = client.defaultMutationOptions({ mutationFn: () => Promise.reject(error) })
    return client.getMutationCache().build(client, options).execute(undefined)
  }

  function toAuthError(status: number): AuthError {
    return new AuthError('', { code: '', status })
  }
})
