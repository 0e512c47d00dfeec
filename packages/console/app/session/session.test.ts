import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createQueryClient, SESSION_KEY } from '../api/query-client.ts'
import { sessionQuery } from './session.ts'

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
const readSession = (client: ReturnType<typeof createQueryClient>) =>
  client.fetchQuery({ ...sessionQuery, staleTime: 0 })

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

it('forgets what a person has read when the session has ended and another one signs in', async () => {
  const client = await openConsole()
  client.setQueryData(SESSION_KEY, null)
  signedIn = 'alex'
  await readSession(client)
  expect(client.getQueryData(PASSKEYS)).toBeUndefined()
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

it('is null when nobody is signed in', async () => {
  const client = await openConsole()
  signedIn = undefined
  expect(await readSession(client)).toBeNull()
})
