import { operatorAccounts } from '@mintmark/facilitator/operator'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { getReadKey, useWrite } from '../../api/operations.ts'
import { SESSION_KEY } from '../../api/query-client.ts'
import { FormDialog } from '../../components/dialogs.tsx'
import { accountTexts } from '../../texts/facilitator.ts'
import { useCreditForm } from './account-dialogs.tsx'

const account = {
  id: 12,
  payer: `0x${'a1'.repeat(20)}`,
  name: 'shop',
  balance: '1000000000000000000',
  reserved: '0',
  owed: '0',
  batchDelayMs: 0,
  createTime: '2026-01-15T10:00:00.000Z',
}
const credit = { id: account.id, amount: '500000000000000000', reason: 'Refund of invoice 7' }

let answer: () => Response
beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://gateway.example' })
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', async () => answer())
})
afterEach(() => vi.unstubAllGlobals())

/** Sends a credit as a dialog does that is closed afterwards. */
async function sendCredit(client: QueryClient, input: typeof credit): Promise<void> {
  let send: () => Promise<unknown> = async () => undefined
  function Form() {
    const write = useWrite(operatorAccounts.credit)
    send = () => write.mutateAsync(input).catch(() => undefined)
    return null
  }
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Form)))
  await send()
}

function renderDialog(client: QueryClient): string {
  const useForm = () => useCreditForm(account)
  const dialog = createElement(FormDialog<typeof operatorAccounts.credit>, {
    title: 'Credit',
    useForm,
    onClose: () => undefined,
  })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, dialog))
}

const { title } = accountTexts.credit.inDoubt('0.5', credit.reason)
it('shows the balance that the account will have, by what was read last', async () => {
  const client = new QueryClient()
  answer = loseResponse
  await sendCredit(client, credit)
  expect(renderDialog(client)).toContain('The balance becomes 1.5.')
  const current = { ...account, balance: '3000000000000000000' }
  client.setQueryData(getReadKey(undefined, operatorAccounts.get, { id: account.id }), { account: current })
  expect(renderDialog(client)).toContain('The balance becomes 3.5.')
})

const loseResponse = () => {
  throw new TypeError('the connection broke')
}
const succeed = () => Response.json(account)

it('names a credit whose outcome is not known when the dialog is opened again, and enters its terms', async () => {
  const client = new QueryClient()
  answer = loseResponse
  await sendCredit(client, credit)
  const html = renderDialog(client)
  expect(html).toContain(title)
  expect(html).toContain('value="0.5"')
  expect(html).toContain(`value="${credit.reason}"`)
})

it('still names a credit whose outcome is not known after a credit with other terms', async () => {
  const client = new QueryClient()
  answer = loseResponse
  await sendCredit(client, credit)
  answer = succeed
  await sendCredit(client, { ...credit, amount: '700000000000000000' })
  expect(renderDialog(client)).toContain(title)
})

it('names no credit whose outcome became known, and none of another account', async () => {
  const client = new QueryClient()
  answer = loseResponse
  await sendCredit(client, credit)
  await sendCredit(client, { ...credit, id: 13, amount: '800000000000000000' })
  answer = succeed
  await sendCredit(client, credit)
  expect(renderDialog(client)).not.toContain('It is not known')
})

it('names no credit that the server has not accepted', async () => {
  const client = new QueryClient()
  answer = () => Response.json({ error: 'RateLimited', message: 'Too many calls' }, { status: 429 })
  await sendCredit(client, credit)
  expect(renderDialog(client)).not.toContain('It is not known')
})

it('names no credit of another person who was signed in before', async () => {
  const client = new QueryClient()
  client.setQueryData(SESSION_KEY, { personId: 'kim' })
  answer = loseResponse
  await sendCredit(client, credit)
  client.setQueryData(SESSION_KEY, { personId: 'alex' })
  expect(renderDialog(client)).not.toContain('It is not known')
  client.setQueryData(SESSION_KEY, { personId: 'kim' })
  expect(renderDialog(client)).toContain(title)
})

describe('after the page was reloaded', () => {
  const stored = new Map<string, string>()
  beforeEach(() => {
    stored.clear()
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
      removeItem: (name: string) => stored.delete(name),
    })
  })

  it('names a credit whose outcome is not known, and sends it again under the same key', async () => {
    const keys: (string | null)[] = []
    vi.stubGlobal('fetch', async (_: string, { headers }: RequestInit) => {
      keys.push(new Headers(headers).get('idempotency-key'))
      return answer()
    })
    answer = loseResponse
    await sendCredit(new QueryClient(), credit)
    const reloaded = new QueryClient()
    expect(renderDialog(reloaded)).toContain(title)
    answer = succeed
    await sendCredit(reloaded, credit)
    expect(new Set(keys)).toEqual(new Set([expect.any(String)]))
    expect(renderDialog(reloaded)).not.toContain('It is not known')
    expect(stored).toEqual(new Map())
  })

  it('names a credit that was running', async () => {
    const client = new QueryClient()
    let html = ''
    answer = () => {
      html = renderDialog(new QueryClient())
      return succeed()
    }
    await sendCredit(client, credit)
    expect(html).toContain(title)
  })

  it('names no credit that the server has not accepted', async () => {
    answer = () => Response.json({ error: 'RateLimited', message: 'Too many calls' }, { status: 429 })
    await sendCredit(new QueryClient(), credit)
    expect(renderDialog(new QueryClient())).not.toContain('It is not known')
  })

  it('reads no calls that something else has stored', async () => {
    answer = loseResponse
    await sendCredit(new QueryClient(), credit)
    for (const name of stored.keys()) stored.set(name, '[{"input":')
    expect(renderDialog(new QueryClient())).not.toContain('It is not known')
  })
})
