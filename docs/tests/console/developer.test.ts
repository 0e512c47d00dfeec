// What developers do with the console: keys, webhooks, events, the audit log and the API explorer, against a
// sandbox.
import { spawn } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { apiKeys } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { type Cleanup, serveLocally } from '@mintmark/devkit'
import { createTestDatabase } from '@mintmark/devkit/testing'
import { verifyWebhookMessage } from '@mintmark/envelope'
import { eventWebhooks } from '@mintmark/events'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { createGateway } from '@mintmark/transport'
import pg from 'pg'
import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { webhooksTexts } from '../../../packages/console/app/texts/webhooks.ts'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { hasBrowser, type Tab } from './browser.ts'
import { waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleSandbox, startConsoleSandbox } from './sandbox-fixture.ts'

type Person = Parameters<ConsoleSandbox['openAs']>[0]

describe.skipIf(!hasBrowser)('a developer', () => {
  let fixture: ConsoleSandbox
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  const cleanups: (() => Promise<void>)[] = []
  const stops: Cleanup = { defer: (cleanup) => void cleanups.push(cleanup) }
  beforeAll(async () => {
    database = await createTestDatabase()
    fixture = await startConsoleSandbox(database.url)
  })
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    for (const cleanup of cleanups) await cleanup()
    await database.drop()
  })

  /** Changes rows as the server does by itself, or as an intruder does. */
  async function changeDatabase(statement: string, id: number): Promise<void> {
    const connection = new pg.Client({ connectionString: database.url })
    await connection.connect()
    try {
      await connection.query(statement, [id])
    } finally {
      await connection.end()
    }
  }

  async function open(path: string, person: Person = 'owner'): Promise<Tab> {
    const tab = await fixture.openAs(person)
    await tab.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await tab.page.goto(fixture.at(path))
    await waitForPage(tab)
    return tab
  }

  it('creates an API key, uses it, replaces its secret, and revokes it', async () => {
    const tab = await open('keys')
    const { page } = tab
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await form.getByLabel('Name').fill('Web shop')
    await form.getByLabel('Choose myself').check()
    await form.getByLabel('orders:read').check()
    await checkViews(tab, 'key-new')
    await form.getByRole('button', { name: 'Create key' }).click()
    const first = await readSecret(tab, 'key-secret')
    await orders.list(connect(first))
    await expect(promoCodeCards.list(connect(first))).rejects.toThrow(/scope/)
    await page.reload()
    await waitForPage(tab)
    expect(await page.getByText(first.secret).count()).toBe(0)

    await page.getByRole('button', { name: 'Actions for Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByLabel('Hours until the previous secret ends').fill('0')
    await checkViews(tab, 'key-rotate')
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    const second = await readSecret(tab, 'key-secret-new')
    expect(second.apiKey).toBe(first.apiKey)
    await orders.list(connect(second))
    await expect.poll(() => isRefused(connect(first))).toBe(true)

    await page.getByRole('button', { name: 'Actions for Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke Web shop?' }).waitFor()
    await checkViews(tab, 'key-revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('row').filter({ hasText: 'Web shop' }).getByText('Revoked').waitFor()
    await checkViews(tab, 'keys')
    await expect.poll(() => isRefused(connect(second))).toBe(true)
    const keys = await apiKeys.list(fixture.sandbox.gateway, {}).catch(() => [])
    expect(keys).toEqual([])
  })

  it('creates a key for a till, which redeems cards and sees no orders', async () => {
    const tab = await open('keys')
    const { page } = tab
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await form.getByLabel('Name').fill('Till')
    await form.getByLabel('Till', { exact: true }).check()
    await checkViews(tab, 'key-till')
    await form.getByRole('button', { name: 'Create key' }).click()
    const till = connect(await readSecret(tab, 'key-till-secret'))
    const { scopes } = await apiKeys.getCurrent(till)
    expect([...scopes].sort()).toEqual(['cards:read', 'cards:verify'])
    await expect(orders.list(till)).rejects.toThrow(/scope/)
  })

  describe('who closes a dialog while its call runs', () => {
    /** Responds to the writes of a page after the returned function is called. */
    async function holdWrites({ page }: Tab): Promise<() => void> {
      const held = Promise.withResolvers<void>()
      await page.route('**/*', async (route) => {
        if (route.request().method() !== 'GET') await held.promise
        await route.continue()
      })
      return held.resolve
    }

    async function tryToClose({ page }: Tab, dialog: Locator): Promise<void> {
      await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
      await dialog.getByRole('button', { name: 'Close', disabled: true }).waitFor()
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      expect(await dialog.isVisible()).toBe(true)
    }

    it.each([
      ['a new API key', 'keys', 'Create key', 'Name', /^Secret of/],
      ['a new webhook', 'webhooks', 'Create webhook', 'Address', 'The signing secret'],
    ] as const)(
      'who closes a dialog while its call runs still sees the secret of %s',
      async (_, path, action, field, secret) => {
        const receiver = await serveLocally((__, response) => response.end(), stops)
        const tab = await open(path)
        const { page } = tab
        const release = await holdWrites(tab)
        await page.getByRole('button', { name: action }).first().click()
        const dialog = page.getByRole('dialog', { name: /^Create/ })
        await dialog.getByLabel(field).fill(receiver)
        await dialog.getByRole('button', { name: action }).click()
        await tryToClose(tab, dialog)
        release()
        const shown = page.getByRole('dialog', { name: secret })
        await shown.getByRole('code').first().waitFor()
        await shown.getByRole('button', { name: 'Done' }).click()
      },
    )

    it('who closes a dialog while its call runs still sees the new secret of a webhook, whose dialog a press beside it closes otherwise', async () => {
      const url = await serveLocally((_, response) => response.end(), stops)
      const { id } = await eventWebhooks.configure(fixture.sandbox.gateway, { url })
      const tab = await open(`webhooks/${id}`)
      const { page } = tab
      const release = await holdWrites(tab)
      const dialog = page.getByRole('dialog', { name: 'Replace the secret?' })
      const openDialog = async () => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
        await dialog.waitFor()
      }
      await openDialog()
      await page.mouse.click(5, 5)
      await dialog.waitFor({ state: 'detached' })
      await openDialog()
      await dialog.getByRole('button', { name: 'Create a new secret' }).click()
      await tryToClose(tab, dialog)
      release()
      await page.getByRole('dialog', { name: 'The signing secret' }).getByRole('code').waitFor()
    })

    it('who closes a dialog while its call runs still sees the secret of a new API key after pressing Back', async () => {
      const tab = await open('orders')
      const { page } = tab
      await page.getByRole('link', { name: 'API keys' }).click()
      const release = await holdWrites(tab)
      await page.getByRole('button', { name: 'Create key' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      await dialog.getByLabel('Name').fill('Back')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByRole('button', { name: 'Cancel', disabled: true }).waitFor()
      await page.evaluate(async () => {
        const waitForMove = () =>
          new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
        const back = waitForMove()
        history.back()
        await back
        // The page goes forward again.
        await waitForMove()
      })
      release()
      const shown = page.getByRole('dialog', { name: /^Secret of/ })
      await shown.getByRole('code').first().waitFor()
      await shown.getByRole('button', { name: 'Done' }).click()
      await page.goBack()
      await page.waitForURL(/orders/)
    })

    it('who closes a dialog while its call runs still sees that a webhook was removed, and its page leads to the list', async () => {
      const url = await serveLocally((_, response) => response.end(), stops)
      const { id } = await eventWebhooks.configure(fixture.sandbox.gateway, { url })
      const tab = await open(`webhooks/${id}`)
      const { page } = tab
      const release = await holdWrites(tab)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      const question = page.getByRole('dialog', { name: /^Remove the webhook/ })
      await question.getByRole('button', { name: 'Remove' }).click()
      await tryToClose(tab, question)
      release()
      await page.getByText('The webhook is removed').waitFor()
      await page.waitForURL(/webhooks$/)
    })

    it('who closes a dialog while its call runs can close it after the call has failed', async () => {
      const { page } = await open('keys')
      const refusal = { status: 403, json: { code: 403, msg: 'Your role does not allow this' } }
      await page.route('**/*', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill(refusal),
      )
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      await dialog.getByLabel('Name').fill('Failed')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await dialog.getByRole('alert').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
    })
  })

  it('creates a publishable key for the pages of a shop, and revokes it', async () => {
    const tab = await open('keys')
    const { page } = tab
    await page.getByText('No publishable keys yet').waitFor()
    await page.getByRole('button', { name: 'Create publishable key' }).click()
    const form = page.getByRole('dialog', { name: 'Create publishable key' })
    await form.getByLabel('Name').fill('Website')
    await form.getByLabel('Origins').fill('https://*.shop.example')
    await form.getByRole('button', { name: 'Create publishable key' }).click()
    await form.getByText('contains a wildcard', { exact: false }).waitFor()
    await checkViews(tab, 'publishable-key-wrong')
    // What people copy from the address bar is shortened to the origin.
    await form.getByLabel('Origins').fill('https://Shop.example/cart?item=7\n\nhttp://localhost:5173/')
    await form.getByRole('button', { name: 'Create publishable key' }).click()
    await form.waitFor({ state: 'detached' })
    await checkViews(tab, 'publishable-keys')
    const row = page.getByRole('row').filter({ hasText: 'Website' })
    await row.getByText('https://shop.example, http://localhost:5173').waitFor()
    const publishableKey = (await row.getByTitle(/^pk_/).getAttribute('title')) ?? ''
    const read = async (origin: string) => {
      const url = new URL('/api/v1/market/common/list', fixture.sandbox.credentials.gateway.baseUrl)
      return (await fetch(url, { headers: { origin, 'x-publishable-key': publishableKey } })).status
    }
    expect(await read('https://shop.example')).toBe(200)
    expect(await read('https://other.example')).toBe(403)

    await page.getByRole('button', { name: 'Revoke Website' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke Website?' })
    await checkViews(tab, 'publishable-key-revoke')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await row.getByText('Revoked').waitFor()
    await expect.poll(() => read('https://shop.example')).toBe(401)
  })

  it('sees publishable keys as an auditor without a button', async () => {
    const tab = await open('keys', 'auditor')
    await tab.page.getByRole('heading', { name: 'Publishable keys' }).waitFor()
    expect(await tab.page.getByRole('button', { name: /Create|Revoke/ }).count()).toBe(0)
  })

  interface Credentials {
    readonly apiKey: string
    readonly secret: string
  }

  function connect(credentials: Credentials) {
    const { baseUrl } = fixture.sandbox.credentials.gateway
    return createGateway({ baseUrl, credentials, retries: 0 })
  }

  async function isRefused(client: ReturnType<typeof connect>): Promise<boolean> {
    return await orders.list(client).then(
      () => false,
      ({ status }: { readonly status: number }) => status === 401,
    )
  }

  /** Copies the secret that a dialog shows once. */
  async function readSecret(tab: Tab, name: string): Promise<Credentials> {
    const { page } = tab
    const dialog = page.getByRole('dialog', { name: /^Secret of/ })
    await dialog.getByText('It is shown only once.').waitFor()
    await checkViews(tab, name)
    // A person who presses a key by mistake would have lost the secret.
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape')
    const [apiKey = ''] = await dialog.getByRole('code').allTextContents()
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    return { apiKey, secret }
  }

  it('creates a webhook, sends it a test, and sends that again', async () => {
    const messages: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
    const receiver = await serveLocally(async (request, response) => {
      messages.push({ headers: request.headers, body: await readText(request) })
      response.writeHead(200).end()
    }, stops)
    const tab = await open('webhooks')
    const { page } = tab
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a webhook' })
    await form.getByLabel('Address').fill(receiver)
    await form.getByLabel('Description').fill('The shop')
    await form.getByLabel('Only some types').check()
    await form.getByText('card.*', { exact: true }).click()
    await form.getByLabel('All of card.*').check()
    await checkViews(tab, 'webhook-new')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const once = page.getByRole('dialog', { name: 'The signing secret' })
    await checkViews(tab, 'webhook-secret')
    const secret = (await once.getByRole('code').textContent()) ?? ''
    await once.getByRole('button', { name: 'Done' }).click()
    await page.goto(fixture.at('webhooks'))
    await page.getByRole('link', { name: receiver }).click()
    await page.getByRole('heading', { level: 1, name: receiver }).waitFor()

    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('dialog', { name: /^Delivery of/ })
    await delivery.getByText('Delivered', { exact: true }).waitFor()
    await delivery.getByText(/^HTTP 200 after/).waitFor()
    await checkViews(tab, 'webhook-test')
    expect(messages).toHaveLength(1)
    const [test] = messages
    if (test === undefined) throw new Error('The receiver got no message')
    await verifyWebhookMessage({ ...test, secrets: secret })
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => messages.length).toBe(2)
    expect(messages[1]?.headers['webhook-id']).toBe(test.headers['webhook-id'])
  })

  it('stays where the person goes who leaves the page while the secret of a new webhook is shown', async () => {
    const receiver = await serveLocally((_, response) => response.end(), stops)
    const { page } = await open('keys')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    await page.getByRole('dialog').getByLabel('Address').fill(receiver)
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await page.getByRole('dialog', { name: 'The signing secret' }).waitFor()
    // The first request of the page of the webhook, which would follow at once.
    let isSentForward = false
    page.on('request', (request) => {
      isSentForward ||= /\/webhooks\/deliveries|\/webhooks\/\d+/.test(request.url())
    })
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByRole('dialog', { name: 'Create key' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/keys$/)
    expect(isSentForward).toBe(false)
  })

  it('says in the form of a webhook what saving does at present, also after the gateway has disabled or a colleague enabled it', async () => {
    const url = await serveLocally((_, response) => response.end(), stops)
    const { gateway } = fixture.sandbox
    const { id } = await eventWebhooks.configure(gateway, { url })
    const { page } = await open(`webhooks/${id}`)
    const edit = page.getByRole('button', { name: 'Edit' })
    const form = page.getByRole('dialog', { name: 'Change the webhook' })
    const warning = form.getByText(webhooksTexts.form.enables.title)
    await changeDatabase(`update gateway.webhooks set status = 'DISABLED' where id = $1`, id)
    await edit.click()
    await warning.waitFor()
    await form.getByRole('button', { name: webhooksTexts.form.enables.action }).waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await eventWebhooks.configure(gateway, { id, url })
    await edit.click()
    await warning.waitFor({ state: 'detached' })
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The webhook is changed', { exact: true }).waitFor()
  })

  it('continues a range of events that was sent in part, also in a dialog that was opened again', async () => {
    const url = await serveLocally((_, response) => response.end(), stops)
    const { id } = await eventWebhooks.configure(fixture.sandbox.gateway, { url })
    const tab = await open(`webhooks/${id}`)
    const { page } = tab
    const sent: (number | undefined)[] = []
    let isLost = true
    await page.route(`**/webhooks/${id}/redeliver**`, async (route) => {
      const { after } = route.request().postDataJSON() as { readonly after?: number }
      sent.push(after)
      if (after !== undefined && isLost) return await route.abort()
      const data =
        after === undefined
          ? { deliveries: 990, next: 1000, hasMore: true }
          : { deliveries: 10, next: 1010, hasMore: false }
      await route.fulfill({ json: { code: 200, msg: '', success: true, data } })
    })
    const dialog = page.getByRole('dialog', { name: 'Send the events of a range again' })
    const openDialog = async () => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Send a range again' }).click()
      await dialog.waitFor()
    }
    const send = async () => {
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('button', { name: 'Send again' }).click()
    }
    await openDialog()
    await dialog.getByLabel('From').fill('2026-01-01T00:00')
    await dialog.getByLabel('To', { exact: true }).fill('2099-01-01T00:00')
    await send()
    await dialog.getByRole('alert').waitFor()
    await checkViews(tab, 'webhook-range-failed')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await openDialog()
    await dialog.getByText('This range was sent in part: 990 deliveries started').waitFor()
    await checkViews(tab, 'webhook-range-stopped')
    sent.length = 0
    isLost = false
    await send()
    await dialog.getByText('1,000 deliveries started. They appear in the list.').waitFor()
    expect(sent).toEqual([1000])
  })

  /** Starts a receiver of webhooks that responds with 503 until it is repaired. */
  async function startBrokenReceiver() {
    const ids: unknown[] = []
    let status = 503
    const url = await serveLocally((request, response) => {
      ids.push(request.headers['webhook-id'])
      response.writeHead(status).end()
    }, stops)
    const repair = () => {
      status = 200
    }
    return { url, ids, repair }
  }

  it('sends a failed delivery again, once its receiver works', async () => {
    const { url, ids, repair } = await startBrokenReceiver()
    const { id } = await eventWebhooks.configure(fixture.sandbox.gateway, { url })
    const tab = await open(`webhooks/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('dialog', { name: /^Delivery of/ })
    await delivery.getByText('Failed', { exact: true }).waitFor()
    await delivery.getByText(/^HTTP 503/).waitFor()
    await checkViews(tab, 'webhook-failed')
    await delivery.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByLabel('Status').selectOption('Failed')
    const failed = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: '503' })
    await failed.getByRole('button').click()
    repair()
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await delivery.getByText('Delivered', { exact: true }).waitFor()
    expect(await delivery.getByRole('listitem').count()).toBe(2)
    expect(ids).toEqual([ids[0], ids[0]])
  })

  it('sends a pending delivery before its next attempt is due', async () => {
    const { gateway, accounts } = fixture.sandbox
    const { url, ids, repair } = await startBrokenReceiver()
    const { id } = await eventWebhooks.configure(gateway, { url, events: ['card.created'] })
    const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }
    const nftAddress = accounts.creator.address
    await promoCodeCards.create(gateway, { ...period, name: 'Cortado', totalIssued: 1, nftAddress })
    await expect.poll(() => ids.length).toBe(1)
    const tab = await open(`webhooks/${id}`)
    const { page } = tab
    await page.getByRole('button', { name: 'card.created' }).click()
    const delivery = page.getByRole('dialog', { name: 'Delivery of card.created' })
    const attempts = delivery.getByRole('listitem').filter({ hasText: 'HTTP 503' })
    // The second attempt is made soon. Until then, the dialog waits for it and has no button.
    await expect.poll(() => attempts.count()).toBe(2)
    await delivery.getByText('Pending', { exact: true }).waitFor()
    repair()
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await delivery.getByText('Delivered', { exact: true }).waitFor()
    await checkViews(tab, 'webhook-delivered')
    expect(ids).toEqual([ids[0], ids[0], ids[0]])
    const { list } = await eventWebhooks.deliveries(gateway, { id })
    expect(list).toMatchObject([{ status: 'DELIVERED', attempts: 3 }])
  })

  it('sees that a removed webhook does not exist, also when the history leads back to it', async () => {
    const { url } = await startBrokenReceiver()
    const { id } = await eventWebhooks.configure(fixture.sandbox.gateway, { url })
    const { page } = await open('webhooks')
    const heading = page.getByRole('heading', { level: 1 })
    await page.getByRole('link', { name: url }).click()
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: url }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The webhook is removed').waitFor()
    await page.waitForURL(fixture.at('webhooks'))
    await page.getByRole('link', { name: url }).waitFor({ state: 'detached' })
    // The request that reads it again is held, so what the page shows comes from the cache.
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/v1/webhooks/${id}`, async (route) => {
      await held.promise
      await route.continue()
    })
    for (let steps = 0; steps < 2; steps += 1) await page.goBack()
    await page.waitForURL(fixture.at(`webhooks/${id}`))
    await heading.filter({ hasText: 'Webhooks' }).waitFor()
    held.resolve()
    await page.getByText('This does not exist').waitFor()
    await page.reload()
    await page.getByText('This does not exist').waitFor()
    expect(await heading.textContent()).toBe('Webhooks')
  })

  it('closes the dialogs of a webhook when the history leads to another one', async () => {
    const { gateway } = fixture.sandbox
    const [one, other] = await Promise.all([startBrokenReceiver(), startBrokenReceiver()])
    const { id } = await eventWebhooks.configure(gateway, { url: one.url })
    await eventWebhooks.configure(gateway, { url: other.url })
    const { page } = await open(`webhooks/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: other.url }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Address').waitFor()
    await page.evaluate(() => history.go(-2))
    await page.getByRole('heading', { level: 1, name: one.url }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('finds in the feed what happened to an order', async () => {
    const { demo } = fixture.sandbox.credentials
    if (demo === undefined) throw new Error('The sandbox has no demo rows')
    const { orderNo } = demo
    const tab = await open('events')
    const { page } = tab
    await page.getByRole('main').getByRole('searchbox').fill(orderNo)
    const events = page.getByRole('table', { name: 'Events' })
    const created = events.getByRole('row').filter({ hasText: 'order.created' })
    await created.waitFor()
    await orders.cancel(fixture.sandbox.gateway, { orderNo })
    await events.getByRole('row').filter({ hasText: 'order.cancelled' }).waitFor()
    await checkViews(tab, 'events-order')
    await created.getByRole('button').or(created.getByRole('link')).first().click()
    await page
      .getByRole('dialog', { name: 'Event order.created' })
      .getByText(`"${orderNo}"`)
      .first()
      .waitFor()
    await checkViews(tab, 'event')
  })

  it('finds in the audit log who changed a card, and what', async () => {
    const { gateway, accounts } = fixture.sandbox
    const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }
    const nftAddress = accounts.creator.address
    const card = await promoCodeCards.create(gateway, {
      ...period,
      name: 'Mocha',
      totalIssued: 1,
      nftAddress,
    })
    const manager = await open(`cards/promo-code/${card.id}/edit`, 'manager')
    await manager.page.getByLabel('Name', { exact: true }).fill('Double mocha')
    await manager.page.getByRole('button', { name: 'Save' }).click()
    await manager.page.getByText('The card is changed').waitFor()

    const tab = await open('audit')
    const { page } = tab
    await page.getByLabel('Kind of record').selectOption('Card')
    await page.getByRole('main').getByRole('searchbox').fill(String(card.id))
    const entry = page.getByRole('row').filter({ hasText: 'name: Mocha → Double mocha' })
    await entry.waitFor()
    // Until then, the page shows the previous list in faint colors.
    await page.getByRole('navigation', { name: 'Pages' }).getByText('1–2 of 2').waitFor()
    expect(await entry.textContent()).not.toContain('API key')
    await checkViews(tab, 'audit')
    await entry.getByRole('button').click()
    const changes = page.getByRole('dialog').getByRole('table', { name: 'Changes' })
    const name = changes.getByRole('row').filter({ hasText: 'name' }).filter({ hasText: 'Double mocha' })
    expect(await name.getByRole('cell').allTextContents()).toEqual(['name', 'Mocha', 'Double mocha'])
    await checkViews(tab, 'audit-entry')
  })

  describe('in the explorer', () => {
    let tab: Tab
    let shown = ''
    beforeAll(async () => {
      tab = await open('explorer')
      const { page } = tab
      await page.getByRole('main').getByRole('searchbox').fill('orders.list')
      await page.getByRole('link', { name: 'orders.list', exact: true }).click()
      await waitForPage(tab)
      await page.getByLabel('pageSize').fill('5')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByText('200', { exact: true }).waitFor()
      shown = (await page.getByLabel('Data of the response').textContent()) ?? ''
    })

    /** Copies the code of the call that the page shows. */
    async function copyCode(language: string): Promise<string> {
      const { page } = tab
      await page.getByRole('radio', { name: language }).check({ force: true })
      const code = (await page.getByLabel(`Code in ${language}`).locator('pre').textContent()) ?? ''
      await page.getByRole('button', { name: 'Copy the code' }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)
      return code
    }

    it('lists orders', async () => {
      const { list } = await orders.list(fixture.sandbox.gateway, { pageSize: 5 })
      expect(list.length).toBeGreaterThan(0)
      expect(findOrderNumbers(shown)).toEqual(list.map(({ orderNo }) => orderNo))
      await checkViews(tab, 'explorer')
    })

    it('copies TypeScript that returns what is shown', async () => {
      const code = await copyCode('TypeScript')
      const flags = ['--conditions=@mintmark/source', '--input-type=module-typescript', '-']
      expect(findOrderNumbers(await run('node', flags, code))).toEqual(findOrderNumbers(shown))
    })

    it('copies a shell script that signs the call and receives what is shown', async () => {
      const response = JSON.parse(await run('sh', ['-eu'], await copyCode('Shell')))
      expect(response.data).toEqual(JSON.parse(shown))
    })

    it('copies a command that prints what is shown', async () => {
      const program = 'node --conditions=@mintmark/source packages/mintmark/src/cli/main.ts'
      const script = `mintmark() { ${program} "$@"; }\n${await copyCode('Command line')}`
      // The command prints each record of a list as a line.
      const lines = (await run('sh', ['-eu'], script)).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(shown).list)
    })
  })

  const findOrderNumbers = (output: string) =>
    [...output.matchAll(/orderNo"?: ?['"]([^'"]+)['"]/g)].map(([, orderNo]) => orderNo)

  /** Runs a program with the key of the sandbox, and returns what it prints. */
  async function run(command: string, words: readonly string[], input: string): Promise<string> {
    const { baseUrl, apiKey, secret } = fixture.sandbox.credentials.gateway
    const keys = { MINTMARK_GATEWAY_URL: baseUrl, MINTMARK_API_KEY: apiKey, MINTMARK_SECRET: secret }
    const child = spawn(command, words, { cwd: repositoryRoot, env: { ...process.env, ...keys } })
    child.stdin.end(input)
    const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr)])
    return output === '' ? errors : output
  }

  it('confirms before the explorer changes something', async () => {
    const { gateway, accounts } = fixture.sandbox
    const tab = await open('explorer?operation=contracts.add')
    const { page } = tab
    const nftAddress = accounts.others[0]?.address.toLowerCase() ?? ''
    await page.getByLabel('nftAddress').fill(nftAddress)
    await page.getByLabel('chainId').fill(String(fixture.sandbox.credentials.chain.chainId))
    await page.getByLabel('nftType').selectOption('ERC721')
    await page.getByLabel(/^name/).fill('Explored')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Call contracts.add?' })
    await question.getByText('Explored').waitFor()
    await checkViews(tab, 'explorer-question')
    await question.getByRole('button', { name: 'Cancel' }).click()
    const find = { keyword: 'Explored' }
    expect((await commonSales.list(gateway, { nftAddress })).list).toEqual([])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByRole('button', { name: 'Send the call' }).click()
    await page.getByText('200', { exact: true }).waitFor()
    await page.goto(fixture.at(`contracts/${nftAddress}`))
    await page.getByRole('heading', { level: 1, name: find.keyword }).waitFor()
  })

  it('a developer who is an auditor reads with the explorer, and changes nothing', async () => {
    const tab = await open('explorer?operation=orders.list', 'auditor')
    const { page } = tab
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('200', { exact: true }).waitFor()
    await page.goto(fixture.at('explorer?operation=orders.cancel'))
    await page.getByText('Your role may not call this operation').waitFor()
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    await checkViews(tab, 'explorer-auditor')
    const { origin } = new URL(page.url())
    const project = /\/p\/(\d+)\//.exec(page.url())?.[1] ?? ''
    const response = await page.request.post(`${origin}/api/v1/contract/add`, {
      headers: { origin, 'x-mintmark-session': project },
      data: {},
    })
    expect(response.status()).toBe(403)
  })

  it('verifies the audit log, which reports an entry that was changed in the database', async () => {
    const tab = await open('audit')
    const { page } = tab
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText(/^The log is complete and unchanged/).waitFor()
    await checkViews(tab, 'audit-valid')
    const project = Number(/\/p\/(\d+)\//.exec(page.url())?.[1])
    const forged = `update gateway.audit_entries set actor = 'person:nobody' where project_id = $1 and id = 2`
    await changeDatabase(forged, project)
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await page.getByText('The log was tampered with: entry 2 is wrong').waitFor()
    await checkViews(tab, 'audit-tampered')
  })
})
