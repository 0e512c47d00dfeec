import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient, SESSION_KEY } from '../api/query-client.ts'
import { readNewSession, sessionQuery } from './session.ts'

/** The person whose cookie the browser has. */
let signedIn: string | undefined

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://gateway.example' })
  vi.stubGlobal('fetch', async () => {
    if (signedIn === undefined) return Response.json({ code: 401, msg: 'Sign in' }, { status: 401 })
    const flags = { isOperator: false, hasFacilitator: false, hasSecondFactor: false }
    const person = { personId: signedIn, name: signedIn, email: `${signedIn}@example.com`, projects: [] }
    return Response.json({ code: 200, msg: '', success: true, data: { ...person, ...flags } })
  })
})
afterEach(() => vi.unstubAllGlobals())

const PASSKEYS = ['account', 'passkeys']
const readSession = (client: QueryClient) => client.fetchQuery({ ...sessionQuery, staleTime: 0 })

/** Reads the session after it has ended. */
async function endSession(client: QueryClient) {
  signedIn = undefined
  return await readSession(client)
}

async function openConsole() {
  signedIn = 'kim'
  const client = createQueryClient()
  await readSession(client)
  client.setQueryData(PASSKEYS, ['the phone of kim'])
  return client
}

it('forgets what a person has read when another one signs in in another tab', async () => {
  const client = await openConsole()
  signedIn = 'alex'
  expect(await readSession(client)).toMatchObject({ personId: 'alex' })
  expect(client.getQueryData(PASSKEYS)).toBeUndefined()
})

it.each([
  ['has ended', async (client: QueryClient) => void (await endSession(client))],
  ['was signed out', (client: QueryClient) => void client.setQueryData(SESSION_KEY, null)],
])('forgets what a person has read when the session %s and another person signs in', async (_end, endOf) => {
  const client = await openConsole()
  await endOf(client)
  signedIn = 'alex'
  expect(await readSession(client)).toMatchObject({ personId: 'alex' })
  expect(client.getQueryData(SESSION_KEY)).not.toHaveProperty('hasEnded')
  expect(client.getQueryData(PASSKEYS)).toBeUndefined()
})

it('keeps what a person has read who signs in again after the end of a session, but counts it as stale', async () => {
  const client = await openConsole()
  await endSession(client)
  signedIn = 'kim'
  expect(await readSession(client)).not.toHaveProperty('hasEnded')
  expect(client.getQueryData(PASSKEYS)).toEqual(['the phone of kim'])
  expect(client.getQueryState(PASSKEYS)?.isInvalidated).toBe(true)
})

it('has a session that has ended until somebody signs in or out, however often it is read', async () => {
  const client = await openConsole()
  for (const read of [1, 2]) {
    const ended = { personId: 'kim', hasEnded: true }
    expect(await endSession(client), `read ${read}`).toMatchObject(ended)
    expect(client.getQueryData(SESSION_KEY)).toMatchObject(ended)
  }
  client.setQueryData(SESSION_KEY, null)
  expect(await readSession(client)).toBeNull()
})

it('is read again as soon as the tab is shown while the session has ended, and otherwise after a minute', async () => {
  const client = await openConsole()
  const isStale = () => new QueryObserver(client, sessionQuery).getCurrentResult().isStale
  expect(isStale()).toBe(false)
  await endSession(client)
  expect(isStale()).toBe(true)
})

it('says why the session cannot be read after a sign-in', async () => {
  const client = await openConsole()
  await endSession(client)
  const unsubscribe = new QueryObserver(client, { ...sessionQuery, enabled: true }).subscribe(() => {})
  vi.stubGlobal('fetch', async () => Response.json({ code: 403, msg: 'No' }, { status: 403 }))
  await expect(readNewSession(client)).rejects.toThrow()
  unsubscribe()
})

it('keeps what a person has read while the same one is signed in, and at the first read', async () => {
  const client = await openConsole()
  await readSession(client)
  expect(client.getQueryData(PASSKEYS)).toEqual(['the phone of kim'])
  const opened = createQueryClient()
  opened.setQueryData(PASSKEYS, ['read at the start'])
  await readSession(opened)
  expect(opened.getQueryData(PASSKEYS)).toEqual(['read at the start'])
})

it('is null when nobody is or was signed in', async () => {
  signedIn = undefined
  expect(await readSession(createQueryClient())).toBeNull()
})
