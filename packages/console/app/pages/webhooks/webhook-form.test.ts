import type { EventWebhook, eventWebhooks } from '@mintmark/events'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FormDialog } from '../../components/dialogs.tsx'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { useWebhookForm } from './webhook-form.tsx'

beforeEach(() => {
  vi.stubGlobal('location', { origin: 'https://gateway.example' })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => vi.unstubAllGlobals())

/** Renders the form of a webhook with a status. Without one, of a new webhook. */
function renderForm(status?: string): string {
  const webhook: EventWebhook = {
    id: 7,
    url: 'https://shop.example/hooks',
    events: [],
    description: '',
    maxPerSecond: 0,
    status: status ?? '',
    createTime: '2026-01-15T10:00:00.000Z',
    updateTime: '2026-01-15T10:00:00.000Z',
  }
  const dialog = createElement(FormDialog<typeof eventWebhooks.configure>, {
    title: 'Webhook',
    useForm: () => useWebhookForm(status === undefined ? undefined : webhook),
    onClose: () => undefined,
  })
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, dialog))
}

const { enables } = webhooksTexts.form

it('says before a disabled webhook is changed that this enables it', () => {
  const html = renderForm('DISABLED')
  expect(html).toContain(enables.title)
  expect(html).toContain(`<span>${enables.action}</span>`)
})

it.each(['ENABLED', undefined])('does not mention this for a webhook with the status %s', (status) => {
  const html = renderForm(status)
  expect(html).not.toContain(enables.title)
  expect(html).not.toContain(enables.action)
})
