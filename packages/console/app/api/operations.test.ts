import { apiKeys } from '@mintmark/admin'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useCall } from '../pages/explorer/use-call.ts'
import { useWrite } from './operations.ts'

/** What becomes of a request: the gateway handles it, and the page gets its response or another one. */
type Fate = 'received' | 'response lost' | 'changed response' | Response

const record = {
  apiKey: 'mk_1',
  name: 'shop',
  scopes: ['*'],
  storeId: 0,
  wallet: '',
  createTime: '2026-01-01T00:00:00Z',
}
const reply = (status: number, body: object) => () => Response.json({ code: status, ...body }, { status })
const tooMany = reply(429, { msg: 'Too many calls' })
const inProgress = reply(409, { msg: 'A request with this Idempotency-Key is still in progress' })
const forbidden = reply(403, { msg: 'Your role does not allow this' })
const limit = reply(409, { msg: 'Too many keys', data: { reason: 'TOO_MANY_KEYS' } })

/** The keys under which the gateway has created something. */
let created: Set<string>
let fates: (() => Fate)[]

/** Answers like a gateway: a repeated request with the same key creates nothing more. */
async function answer(_url: string, { headers }: RequestInit): Promise<Response> {
  const fate = fates.shift()?.() ?? 'received'
  if (fate instanceof Response) return fate
  created.add(new Headers(headers).get('idempotency-key') ?? crypto.randomUUID())
  if (fate === 'response lost') throw new TypeError('the connection broke')
  const data = fate === 'changed response' ? { ...record, name: 7 } : record
  return Response.json({ code: 200, msg: '', success: true, data })
}

beforeEach(() => {
  created = new Set()
  fates = []
  vi.stubGlobal('location', { origin: 'https://gateway.example' })
  vi.stubGlobal('fetch', answer)
})
afterEach(() => vi.unstubAllGlobals())

const lost = () => 'response lost' as const
const changed = () => 'changed response' as const
const repeat = (fate: () => Fate) => [fate, fate, fate]

type Press = (input: { readonly name: string }) => Promise<unknown>

/** Renders a form in a page with a cache, and returns what the press of its button does. */
function render(useForm: () => { readonly mutateAsync: Press }, client = new QueryClient()): Press {
  let press: Press = async () => undefined
  function Form() {
    press = useForm().mutateAsync
    return null
  }
  renderToString(createElement(QueryClientProvider, { client }, createElement(Form)))
  return (input) => press(input).catch((error: { readonly kind: string }) => error.kind)
}

describe.each([
  ['a form', () => useWrite(apiKeys.create)],
  ['a call of the explorer', () => useCall(apiKeys.create)],
])('%s whose response was lost', (_, useForm) => {
  it.each([
    ['once more', []],
    ['while the first request is still in progress', [inProgress]],
    ['too often', repeat(tooMany)],
    ['after the role of the person was changed and changed back', [forbidden]],
  ])('changes nothing twice when it is sent again %s', async (__, between) => {
    const press = render(useForm)
    fates = [...repeat(lost), ...between]
    await press({ name: 'shop' })
    const shown: unknown[] = []
    // The person presses the button until the page shows the key.
    while (shown.length < 9 && !JSON.stringify(shown).includes(record.apiKey)) {
      shown.push(await press({ name: 'shop' }))
    }
    expect(JSON.stringify(shown)).toContain(record.apiKey)
    expect(created.size).toBe(1)
  })

  it('changes nothing twice when it was closed and is opened again, also if the first call still runs', async () => {
    const client = new QueryClient()
    fates = repeat(lost)
    await render(useForm, client)({ name: 'shop' })
    fates = [inProgress]
    const press = render(useForm, client)
    await press({ name: 'shop' })
    // The outcome of the first call becomes known, but not to the person in front of the second form.
    await render(useForm, client)({ name: 'shop' })
    expect(JSON.stringify(await press({ name: 'shop' }))).toContain(record.apiKey)
    expect(created.size).toBe(1)
  })

  it('changes nothing twice when other terms were sent in between', async () => {
    const press = render(useForm)
    fates = repeat(lost)
    await press({ name: 'shop' })
    await press({ name: 'till' })
    await press({ name: 'shop' })
    expect(created.size).toBe(2)
  })
})

it('a form of an older console changes nothing twice when it is sent again', async () => {
  const press = render(() => useWrite(apiKeys.create))
  fates = [changed]
  expect(await press({ name: 'shop' })).toBe('UnexpectedResponse')
  expect(await press({ name: 'shop' })).toEqual(record)
  expect(created.size).toBe(1)
})

it('a form changes something again after it has succeeded', async () => {
  const press = render(() => useWrite(apiKeys.create))
  await press({ name: 'shop' })
  await press({ name: 'shop' })
  expect(created.size).toBe(2)
})

it('a form is decided anew after a rule has refused it', async () => {
  const press = render(() => useWrite(apiKeys.create))
  const keys: (string | null)[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    keys.push(new Headers(init.headers).get('idempotency-key'))
    return await answer(url, init)
  })
  fates = [limit]
  expect(await press({ name: 'shop' })).toBe('Refused')
  expect(await press({ name: 'shop' })).toEqual(record)
  expect(new Set(keys).size).toBe(2)
})
