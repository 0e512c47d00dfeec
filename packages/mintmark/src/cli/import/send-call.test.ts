import { promoCodeCards } from '@mintmark/cards'
import { createGateway } from '@mintmark/transport'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createStub } from '../testing/run-command.ts'
import { sendCall } from './send-call.ts'

it('waits for an hour when a server or a wrong clock says to wait for longer than a timer can', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { requests, fetch } = createStub(() => {
    const body = { code: 429, data: {}, msg: 'Too many requests', success: false }
    return Response.json(body, { status: 429, headers: { 'retry-after': '9999999' } })
  })
  const credentials = { apiKey: 'mk_test', secret: 'sk' }
  const client = createGateway({ baseUrl: 'http://gateway.test', credentials, fetch, retries: 0 })
  const interruption = new AbortController()
  const times = { startTime: '2026-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' }
  const input = { name: 'A', nftAddress: '0xa', totalIssued: 1, ...times }
  const { signal } = interruption
  const context = { client, operation: promoCodeCards.create, signal, pauseMs: 1 }
  const sending = sendCall(input, 'key', context).catch((error: unknown) => error)
  await vi.waitUntil(() => requests.length > 0)
  await vi.advanceTimersByTimeAsync(3_590_000)
  expect(requests).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(requests).toHaveLength(2)
  interruption.abort()
  await sending
})
