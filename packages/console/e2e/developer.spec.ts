// What developers do with the console: keys, webhooks, events, the audit log and the API explorer, against a
// sandbox.

import { spawn } from 'node:child_process'
import type { IncomingHttpHeaders } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { apiKeys } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { serveLocally } from '@mintmark/devkit'
import { createTestDatabase, type TestDatabase } from '@mintmark/devkit/testing'
import { verifyWebhookMessage } from '@mintmark/envelope'
import { eventWebhooks } from '@mintmark/events'
import { commonSales } from '@mintmark/market'
import { orders } from '@mintmark/orders'
import { createGateway } from '@mintmark/transport'
import { expect, type Locator, type Page } from '@playwright/test'
import pg from 'pg'
import { repositoryRoot } from '../../../tools/workspace.ts'
import { webhooksTexts } from '../app/texts/webhooks.ts'
import { visit, waitForPage } from './check-page.ts'
import { checkViews } from './check-views.ts'
import { perFile, sandboxTest } from './console-test.ts'
import type { ConsoleSandbox } from './sandbox-fixture.ts'

type Person = Parameters<ConsoleSandbox['openAs']>[0]

const test = sandboxTest().extend<object, { database: TestDatabase }>({
  database: perFile(
    () => createTestDatabase(),
    (database) => database.drop(),
  ),
  databaseUrl: [async ({ database }, use) => use(database.url), { scope: 'worker' }],
})

test.describe('a developer', () => {
  /** Changes rows as the server does by itself, or as an intruder does. */
  async function changeDatabase(database: TestDatabase, statement: string, id: number): Promise<void> {
    const connection = new pg.Client({ connectionString: database.url })
    await connection.connect()
    try {
      await connection.query(statement, [id])
    } finally {
      await connection.end()
    }
  }

  async function open(app: ConsoleSandbox, path: string, person: Person = 'owner'): Promise<Page> {
    const page = await app.openAs(person)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await visit(page, app.at(path))
    return page
  }

  test('creates an API key, uses it, replaces its secret, and revokes it', async ({ app }) => {
    const page = await open(app, 'keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await form.getByLabel('Name').fill('Web shop')
    await form.getByLabel('Choose myself').check()
    await form.getByLabel('orders:read').check()
    await checkViews(page, 'key-new')
    await form.getByRole('button', { name: 'Create key' }).click()
    const first = await readSecret(page, 'key-secret')
    await orders.list(connect(app, first))
    await expect(promoCodeCards.list(connect(app, first))).rejects.toThrow(/scope/)
    await page.reload()
    await waitForPage(page)
    await expect(page.getByText(first.secret)).toHaveCount(0)

    await page.getByRole('button', { name: 'Actions for Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
    await page.getByRole('dialog').getByLabel('Hours until the previous secret ends').fill('0')
    await checkViews(page, 'key-rotate')
    await page.getByRole('button', { name: 'Create a new secret' }).click()
    const second = await readSecret(page, 'key-secret-new')
    expect(second.apiKey).toBe(first.apiKey)
    await orders.list(connect(app, second))
    await expect.poll(() => isRefused(app, connect(app, first))).toBe(true)

    await page.getByRole('button', { name: 'Actions for Web shop' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await expect(page.getByRole('dialog', { name: 'Revoke Web shop?' })).toBeVisible()
    await checkViews(page, 'key-revoke')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('row').filter({ hasText: 'Web shop' }).getByText('Revoked')).toBeVisible()
    await checkViews(page, 'keys')
    await expect.poll(() => isRefused(app, connect(app, second))).toBe(true)
    const keys = await apiKeys.list(app.sandbox.gateway, {}).catch(() => [])
    expect(keys).toEqual([])
  })

  test('creates a key for a till, which redeems cards and sees no orders', async ({ app }) => {
    const page = await open(app, 'keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const form = page.getByRole('dialog', { name: 'Create key' })
    await form.getByLabel('Name').fill('Till')
    await form.getByLabel('Till', { exact: true }).check()
    await checkViews(page, 'key-till')
    await form.getByRole('button', { name: 'Create key' }).click()
    const till = connect(app, await readSecret(page, 'key-till-secret'))
    const { scopes } = await apiKeys.getCurrent(till)
    expect([...scopes].sort()).toEqual(['cards:read', 'cards:verify'])
    await expect(orders.list(till)).rejects.toThrow(/scope/)
  })

  test.describe('who closes a dialog while its call runs', () => {
    /** Responds to the writes of a page after the returned function is called. */
    async function holdWrites(page: Page): Promise<() => void> {
      const held = Promise.withResolvers<void>()
      await page.route('**/*', async (route) => {
        if (route.request().method() !== 'GET') await held.promise
        await route.continue()
      })
      return held.resolve
    }

    async function tryToClose(page: Page, dialog: Locator): Promise<void> {
      await expect(dialog.getByRole('button', { name: 'Cancel', disabled: true })).toBeVisible()
      await expect(dialog.getByRole('button', { name: 'Close', disabled: true })).toBeVisible()
      for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Escape')
      await page.mouse.click(5, 5)
      await expect(dialog).toBeVisible()
    }

    for (const [name, path, action, field, secret] of [
      ['a new API key', 'keys', 'Create key', 'Name', /^Secret of/],
      ['a new webhook', 'webhooks', 'Create webhook', 'Address', 'The signing secret'],
    ] as const) {
      test(`still sees the secret of ${name}`, async ({ app }) => {
        const receiver = await serveLocally((__, response) => response.end(), app.stops)
        const page = await open(app, path)
        const release = await holdWrites(page)
        await page.getByRole('button', { name: action }).first().click()
        const dialog = page.getByRole('dialog', { name: /^Create/ })
        await dialog.getByLabel(field).fill(receiver)
        await dialog.getByRole('button', { name: action }).click()
        await tryToClose(page, dialog)
        release()
        const shown = page.getByRole('dialog', { name: secret })
        await expect(shown.getByRole('code').first()).toBeVisible()
        await shown.getByRole('button', { name: 'Done' }).click()
      })
    }

    test('still sees the new secret of a webhook, whose dialog a press beside it closes otherwise', async ({
      app,
    }) => {
      const url = await serveLocally((_, response) => response.end(), app.stops)
      const { id } = await eventWebhooks.configure(app.sandbox.gateway, { url })
      const page = await open(app, `webhooks/${id}`)
      const release = await holdWrites(page)
      const dialog = page.getByRole('dialog', { name: 'Replace the secret?' })
      const openDialog = async () => {
        await page.getByRole('button', { name: 'More actions' }).click()
        await page.getByRole('menuitem', { name: 'Replace the secret' }).click()
        await expect(dialog).toBeVisible()
      }
      await openDialog()
      await page.mouse.click(5, 5)
      await expect(dialog).toHaveCount(0)
      await openDialog()
      await dialog.getByRole('button', { name: 'Create a new secret' }).click()
      await tryToClose(page, dialog)
      release()
      await expect(page.getByRole('dialog', { name: 'The signing secret' }).getByRole('code')).toBeVisible()
    })

    test('still sees the secret of a new API key after pressing Back', async ({ app }) => {
      const page = await open(app, 'orders')
      await page.getByRole('link', { name: 'API keys' }).click()
      const release = await holdWrites(page)
      await page.getByRole('button', { name: 'Create key' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      await dialog.getByLabel('Name').fill('Back')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await expect(dialog.getByRole('button', { name: 'Cancel', disabled: true })).toBeVisible()
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
      await expect(shown.getByRole('code').first()).toBeVisible()
      await shown.getByRole('button', { name: 'Done' }).click()
      await page.goBack()
      await page.waitForURL(/orders/)
    })

    test('still sees that a webhook was removed, and its page leads to the list', async ({ app }) => {
      const url = await serveLocally((_, response) => response.end(), app.stops)
      const { id } = await eventWebhooks.configure(app.sandbox.gateway, { url })
      const page = await open(app, `webhooks/${id}`)
      const release = await holdWrites(page)
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Remove' }).click()
      const question = page.getByRole('dialog', { name: /^Remove the webhook/ })
      await question.getByRole('button', { name: 'Remove' }).click()
      await tryToClose(page, question)
      release()
      await expect(page.getByText('The webhook is removed')).toBeVisible()
      await page.waitForURL(/webhooks$/)
    })

    test('can close it after the call has failed', async ({ app }) => {
      const page = await open(app, 'keys')
      const refusal = { status: 403, json: { code: 403, msg: 'Your role does not allow this' } }
      await page.route('**/*', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill(refusal),
      )
      await page.getByRole('button', { name: 'Create key' }).click()
      const dialog = page.getByRole('dialog', { name: 'Create key' })
      await dialog.getByLabel('Name').fill('Failed')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await expect(dialog.getByRole('alert')).toBeVisible()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await expect(dialog).toHaveCount(0)
    })
  })

  test('creates a publishable key for the pages of a shop, and revokes it', async ({ app }) => {
    const page = await open(app, 'keys')
    await expect(page.getByText('No publishable keys yet')).toBeVisible()
    await page.getByRole('button', { name: 'Create publishable key' }).click()
    const form = page.getByRole('dialog', { name: 'Create publishable key' })
    await form.getByLabel('Name').fill('Website')
    await form.getByLabel('Origins').fill('https://*.shop.example')
    await form.getByRole('button', { name: 'Create publishable key' }).click()
    await expect(form.getByText('contains a wildcard', { exact: false })).toBeVisible()
    await checkViews(page, 'publishable-key-wrong')
    // What people copy from the address bar is shortened to the origin.
    await form.getByLabel('Origins').fill('https://Shop.example/cart?item=7\n\nhttp://localhost:5173/')
    await form.getByRole('button', { name: 'Create publishable key' }).click()
    await expect(form).toHaveCount(0)
    await checkViews(page, 'publishable-keys')
    const row = page.getByRole('row').filter({ hasText: 'Website' })
    await expect(row.getByText('https://shop.example, http://localhost:5173')).toBeVisible()
    const publishableKey = (await row.getByTitle(/^pk_/).getAttribute('title')) ?? ''
    const read = async (origin: string) => {
      const url = new URL('/api/v1/market/common/list', app.sandbox.credentials.gateway.baseUrl)
      return (await fetch(url, { headers: { origin, 'x-publishable-key': publishableKey } })).status
    }
    expect(await read('https://shop.example')).toBe(200)
    expect(await read('https://other.example')).toBe(403)

    await page.getByRole('button', { name: 'Revoke Website' }).click()
    const question = page.getByRole('dialog', { name: 'Revoke Website?' })
    await checkViews(page, 'publishable-key-revoke')
    await question.getByRole('button', { name: 'Revoke' }).click()
    await expect(row.getByText('Revoked')).toBeVisible()
    await expect.poll(() => read('https://shop.example')).toBe(401)
  })

  test('sees publishable keys as an auditor without a button', async ({ app }) => {
    const page = await open(app, 'keys', 'auditor')
    await expect(page.getByRole('heading', { name: 'Publishable keys' })).toBeVisible()
    await expect(page.getByRole('button', { name: /Create|Revoke/ })).toHaveCount(0)
  })

  interface Credentials {
    readonly apiKey: string
    readonly secret: string
  }

  function connect(app: ConsoleSandbox, credentials: Credentials) {
    const { baseUrl } = app.sandbox.credentials.gateway
    return createGateway({ baseUrl, credentials, retries: 0 })
  }

  async function isRefused(_fixture: ConsoleSandbox, client: ReturnType<typeof connect>): Promise<boolean> {
    return await orders.list(client).then(
      () => false,
      ({ status }: { readonly status: number }) => status === 401,
    )
  }

  /** Copies the secret that a dialog shows once. */
  async function readSecret(page: Page, name: string): Promise<Credentials> {
    const dialog = page.getByRole('dialog', { name: /^Secret of/ })
    await expect(dialog.getByText('It is shown only once.')).toBeVisible()
    await checkViews(page, name)
    // A person who presses a key by mistake would have lost the secret.
    for (let presses = 0; presses < 2; presses += 1) await page.keyboard.press('Escape')
    const [apiKey = ''] = await dialog.getByRole('code').allTextContents()
    await dialog.getByRole('button', { name: 'Copy the secret' }).click()
    const secret = await page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    return { apiKey, secret }
  }

  test('creates a webhook, sends it a test, and sends that again', async ({ app }) => {
    const messages: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
    const receiver = await serveLocally(async (request, response) => {
      messages.push({ headers: request.headers, body: await readText(request) })
      response.writeHead(200).end()
    }, app.stops)
    const page = await open(app, 'webhooks')
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create a webhook' })
    await form.getByLabel('Address').fill(receiver)
    await form.getByLabel('Description').fill('The shop')
    await form.getByLabel('Only some types').check()
    await form.getByText('card.*', { exact: true }).click()
    await form.getByLabel('All of card.*').check()
    await checkViews(page, 'webhook-new')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const once = page.getByRole('dialog', { name: 'The signing secret' })
    await checkViews(page, 'webhook-secret')
    const secret = (await once.getByRole('code').textContent()) ?? ''
    await once.getByRole('button', { name: 'Done' }).click()
    await page.goto(app.at('webhooks'))
    await page.getByRole('link', { name: receiver }).click()
    await expect(page.getByRole('heading', { level: 1, name: receiver })).toBeVisible()

    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('dialog', { name: /^Delivery of/ })
    await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible()
    await expect(delivery.getByText(/^HTTP 200 after/)).toBeVisible()
    await checkViews(page, 'webhook-test')
    expect(messages).toHaveLength(1)
    const [test] = messages
    if (test === undefined) throw new Error('The receiver got no message')
    await verifyWebhookMessage({ ...test, secrets: secret })
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => messages.length).toBe(2)
    expect(messages[1]?.headers['webhook-id']).toBe(test.headers['webhook-id'])
  })

  test('stays where the person goes who leaves the page while the secret of a new webhook is shown', async ({
    app,
  }) => {
    const receiver = await serveLocally((_, response) => response.end(), app.stops)
    const page = await open(app, 'keys')
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
    await page.getByRole('button', { name: 'Create webhook' }).first().click()
    await page.getByRole('dialog').getByLabel('Address').fill(receiver)
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click()
    await expect(page.getByRole('dialog', { name: 'The signing secret' })).toBeVisible()
    // The first request of the page of the webhook, which would follow at once.
    let isSentForward = false
    page.on('request', (request) => {
      isSentForward ||= /\/webhooks\/deliveries|\/webhooks\/\d+/.test(request.url())
    })
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible()
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await expect(page.getByRole('dialog', { name: 'Create key' })).toBeVisible()
    expect(new URL(page.url()).pathname).toMatch(/\/keys$/)
    expect(isSentForward).toBe(false)
  })

  test('says in the form of a webhook what saving does at present, also after the gateway has disabled or a colleague enabled it', async ({
    app,
    database,
  }) => {
    const url = await serveLocally((_, response) => response.end(), app.stops)
    const { gateway } = app.sandbox
    const { id } = await eventWebhooks.configure(gateway, { url })
    const page = await open(app, `webhooks/${id}`)
    const edit = page.getByRole('button', { name: 'Edit' })
    const form = page.getByRole('dialog', { name: 'Change the webhook' })
    const warning = form.getByText(webhooksTexts.form.enables.title)
    await changeDatabase(database, `update gateway.webhooks set status = 'DISABLED' where id = $1`, id)
    await edit.click()
    await expect(warning).toBeVisible()
    await expect(form.getByRole('button', { name: webhooksTexts.form.enables.action })).toBeVisible()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await eventWebhooks.configure(gateway, { id, url })
    await edit.click()
    await expect(warning).toHaveCount(0)
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The webhook is changed', { exact: true })).toBeVisible()
  })

  test('continues a range of events that was sent in part, also in a dialog that was opened again', async ({
    app,
  }) => {
    const url = await serveLocally((_, response) => response.end(), app.stops)
    const { id } = await eventWebhooks.configure(app.sandbox.gateway, { url })
    const page = await open(app, `webhooks/${id}`)
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
      await expect(dialog).toBeVisible()
    }
    const send = async () => {
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('button', { name: 'Send again' }).click()
    }
    await openDialog()
    await dialog.getByLabel('From').fill('2026-01-01T00:00')
    await dialog.getByLabel('To', { exact: true }).fill('2099-01-01T00:00')
    await send()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await checkViews(page, 'webhook-range-failed')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    await expect(dialog).toHaveCount(0)
    await openDialog()
    await expect(dialog.getByText('This range was sent in part: 990 deliveries started')).toBeVisible()
    await checkViews(page, 'webhook-range-stopped')
    sent.length = 0
    isLost = false
    await send()
    await expect(dialog.getByText('1,000 deliveries started. They appear in the list.')).toBeVisible()
    expect(sent).toEqual([1000])
  })

  /** Starts a receiver of webhooks that responds with 503 until it is repaired. */
  async function startBrokenReceiver({ stops }: ConsoleSandbox) {
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

  test('sends a failed delivery again, once its receiver works', async ({ app }) => {
    const { url, ids, repair } = await startBrokenReceiver(app)
    const { id } = await eventWebhooks.configure(app.sandbox.gateway, { url })
    const page = await open(app, `webhooks/${id}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('dialog', { name: /^Delivery of/ })
    await expect(delivery.getByText('Failed', { exact: true })).toBeVisible()
    await expect(delivery.getByText(/^HTTP 503/)).toBeVisible()
    await checkViews(page, 'webhook-failed')
    await delivery.getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByLabel('Status').selectOption('Failed')
    const failed = page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: '503' })
    await failed.getByRole('button').click()
    repair()
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible()
    await expect(delivery.getByRole('listitem')).toHaveCount(2)
    expect(ids).toEqual([ids[0], ids[0]])
  })

  test('sends a pending delivery before its next attempt is due', async ({ app }) => {
    const { gateway, accounts } = app.sandbox
    const { url, ids, repair } = await startBrokenReceiver(app)
    const { id } = await eventWebhooks.configure(gateway, { url, events: ['card.created'] })
    const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }
    const nftAddress = accounts.creator.address
    await promoCodeCards.create(gateway, { ...period, name: 'Cortado', totalIssued: 1, nftAddress })
    await expect.poll(() => ids.length).toBe(1)
    const page = await open(app, `webhooks/${id}`)
    await page.getByRole('button', { name: 'card.created' }).click()
    const delivery = page.getByRole('dialog', { name: 'Delivery of card.created' })
    const attempts = delivery.getByRole('listitem').filter({ hasText: 'HTTP 503' })
    // The second attempt is made soon. Until then, the dialog waits for it and has no button.
    await expect(attempts).toHaveCount(2)
    await expect(delivery.getByText('Pending', { exact: true })).toBeVisible()
    repair()
    await delivery.getByRole('button', { name: 'Send again' }).click()
    await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible()
    await checkViews(page, 'webhook-delivered')
    expect(ids).toEqual([ids[0], ids[0], ids[0]])
    const { list } = await eventWebhooks.deliveries(gateway, { id })
    expect(list).toMatchObject([{ status: 'DELIVERED', attempts: 3 }])
  })

  test('sees that a removed webhook does not exist, also when the history leads back to it', async ({
    app,
  }) => {
    const { url } = await startBrokenReceiver(app)
    const { id } = await eventWebhooks.configure(app.sandbox.gateway, { url })
    const page = await open(app, 'webhooks')
    const heading = page.getByRole('heading', { level: 1 })
    await page.getByRole('link', { name: url }).click()
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: url }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('The webhook is removed')).toBeVisible()
    await page.waitForURL(app.at('webhooks'))
    await expect(page.getByRole('link', { name: url })).toHaveCount(0)
    // The request that reads it again is held, so what the page shows comes from the cache.
    const held = Promise.withResolvers<void>()
    await page.route(`**/api/v1/webhooks/${id}`, async (route) => {
      await held.promise
      await route.continue()
    })
    for (let steps = 0; steps < 2; steps += 1) await page.goBack()
    await page.waitForURL(app.at(`webhooks/${id}`))
    await expect(heading.filter({ hasText: 'Webhooks' })).toBeVisible()
    held.resolve()
    await expect(page.getByText('This does not exist')).toBeVisible()
    await page.reload()
    await expect(page.getByText('This does not exist')).toBeVisible()
    await expect(heading).toHaveText('Webhooks')
  })

  test('closes the dialogs of a webhook when the history leads to another one', async ({ app }) => {
    const { gateway } = app.sandbox
    const [one, other] = await Promise.all([startBrokenReceiver(app), startBrokenReceiver(app)])
    const { id } = await eventWebhooks.configure(gateway, { url: one.url })
    await eventWebhooks.configure(gateway, { url: other.url })
    const page = await open(app, `webhooks/${id}`)
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('link', { name: other.url }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect(page.getByRole('dialog').getByLabel('Address')).toBeVisible()
    await page.evaluate(() => history.go(-2))
    await expect(page.getByRole('heading', { level: 1, name: one.url })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  test('finds in the feed what happened to an order', async ({ app }) => {
    const { demo } = app.sandbox.credentials
    if (demo === undefined) throw new Error('The sandbox has no demo rows')
    const { orderNo } = demo
    const page = await open(app, 'events')
    await page.getByRole('main').getByRole('searchbox').fill(orderNo)
    const events = page.getByRole('table', { name: 'Events' })
    const created = events.getByRole('row').filter({ hasText: 'order.created' })
    await expect(created).toBeVisible()
    await orders.cancel(app.sandbox.gateway, { orderNo })
    await expect(events.getByRole('row').filter({ hasText: 'order.cancelled' })).toBeVisible()
    await checkViews(page, 'events-order')
    await created.getByRole('button').or(created.getByRole('link')).first().click()
    await expect(
      page.getByRole('dialog', { name: 'Event order.created' }).getByText(`"${orderNo}"`).first(),
    ).toBeVisible()
    await checkViews(page, 'event')
  })

  test('finds in the audit log who changed a card, and what', async ({ app }) => {
    const { gateway, accounts } = app.sandbox
    const period = { startTime: '2026-01-01T00:00:00Z', endTime: '2099-12-31T00:00:00Z' }
    const nftAddress = accounts.creator.address
    const card = await promoCodeCards.create(gateway, {
      ...period,
      name: 'Mocha',
      totalIssued: 1,
      nftAddress,
    })
    const manager = await open(app, `cards/promo-code/${card.id}/edit`, 'manager')
    await manager.getByLabel('Name', { exact: true }).fill('Double mocha')
    await manager.getByRole('button', { name: 'Save' }).click()
    await expect(manager.getByText('The card is changed')).toBeVisible()

    const page = await open(app, 'audit')
    await page.getByLabel('Kind of record').selectOption('Card')
    await page.getByRole('main').getByRole('searchbox').fill(String(card.id))
    const entry = page.getByRole('row').filter({ hasText: 'name: Mocha → Double mocha' })
    await expect(entry).toBeVisible()
    // Until then, the page shows the previous list in faint colors.
    await expect(page.getByRole('navigation', { name: 'Pages' }).getByText('1–2 of 2')).toBeVisible()
    await expect(entry).not.toContainText('API key')
    await checkViews(page, 'audit')
    await entry.getByRole('button').click()
    const changes = page.getByRole('dialog').getByRole('table', { name: 'Changes' })
    const name = changes.getByRole('row').filter({ hasText: 'name' }).filter({ hasText: 'Double mocha' })
    await expect(name.getByRole('cell')).toHaveText(['name', 'Mocha', 'Double mocha'])
    await checkViews(page, 'audit-entry')
  })

  test.describe('in the explorer', () => {
    let page: Page
    let shown = ''
    test.beforeEach(async ({ app }) => {
      page = await open(app, 'explorer')
      await page.getByRole('main').getByRole('searchbox').fill('orders.list')
      await page.getByRole('link', { name: 'orders.list', exact: true }).click()
      await waitForPage(page)
      await page.getByLabel('pageSize').fill('5')
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(page.getByText('200', { exact: true })).toBeVisible()
      shown = (await page.getByLabel('Data of the response').textContent()) ?? ''
    })

    /** Copies the code of the call that the page shows. */
    async function copyCode(language: string): Promise<string> {
      await page.getByRole('radio', { name: language }).check({ force: true })
      const code = (await page.getByLabel(`Code in ${language}`).locator('pre').textContent()) ?? ''
      await page.getByRole('button', { name: 'Copy the code' }).click()
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)
      return code
    }

    test('lists orders', async ({ app }) => {
      const { list } = await orders.list(app.sandbox.gateway, { pageSize: 5 })
      expect(list.length).toBeGreaterThan(0)
      expect(findOrderNumbers(shown)).toEqual(list.map(({ orderNo }) => orderNo))
      await checkViews(page, 'explorer')
    })

    test('copies TypeScript that returns what is shown', async ({ app }) => {
      const code = await copyCode('TypeScript')
      const flags = ['--conditions=@mintmark/source', '--input-type=module-typescript', '-']
      expect(findOrderNumbers(await run(app, 'node', flags, code))).toEqual(findOrderNumbers(shown))
    })

    test('copies a shell script that signs the call and receives what is shown', async ({ app }) => {
      const response = JSON.parse(await run(app, 'sh', ['-eu'], await copyCode('Shell')))
      expect(response.data).toEqual(JSON.parse(shown))
    })

    test('copies a command that prints what is shown', async ({ app }) => {
      const program = 'node --conditions=@mintmark/source packages/mintmark/src/cli/main.ts'
      const script = `mintmark() { ${program} "$@"; }\n${await copyCode('Command line')}`
      // The command prints each record of a list as a line.
      const lines = (await run(app, 'sh', ['-eu'], script)).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(JSON.parse(shown).list)
    })
  })

  const findOrderNumbers = (output: string) =>
    [...output.matchAll(/orderNo"?: ?['"]([^'"]+)['"]/g)].map(([, orderNo]) => orderNo)

  /** Runs a program with the key of the sandbox, and returns what it prints. */
  async function run(
    app: ConsoleSandbox,
    command: string,
    words: readonly string[],
    input: string,
  ): Promise<string> {
    const { baseUrl, apiKey, secret } = app.sandbox.credentials.gateway
    const keys = { MINTMARK_GATEWAY_URL: baseUrl, MINTMARK_API_KEY: apiKey, MINTMARK_SECRET: secret }
    // Playwright asks for colors.
    const env = { ...process.env, ...keys, FORCE_COLOR: '0' }
    const child = spawn(command, words, { cwd: repositoryRoot, env })
    child.stdin.end(input)
    const [output, errors] = await Promise.all([readText(child.stdout), readText(child.stderr)])
    return output === '' ? errors : output
  }

  test('confirms before the explorer changes something', async ({ app }) => {
    const { gateway, accounts } = app.sandbox
    const page = await open(app, 'explorer?operation=contracts.add')
    const nftAddress = accounts.others[0]?.address.toLowerCase() ?? ''
    await page.getByLabel('nftAddress').fill(nftAddress)
    await page.getByLabel('chainId').fill(String(app.sandbox.credentials.chain.chainId))
    await page.getByLabel('nftType').selectOption('ERC721')
    await page.getByLabel(/^name/).fill('Explored')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Call contracts.add?' })
    await expect(question.getByText('Explored')).toBeVisible()
    await checkViews(page, 'explorer-question')
    await question.getByRole('button', { name: 'Cancel' }).click()
    const find = { keyword: 'Explored' }
    expect((await commonSales.list(gateway, { nftAddress })).list).toEqual([])
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByRole('button', { name: 'Send the call' }).click()
    await expect(page.getByText('200', { exact: true })).toBeVisible()
    await page.goto(app.at(`contracts/${nftAddress}`))
    await expect(page.getByRole('heading', { level: 1, name: find.keyword })).toBeVisible()
  })

  test('who is an auditor reads with the explorer, and changes nothing', async ({ app }) => {
    const page = await open(app, 'explorer?operation=orders.list', 'auditor')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('200', { exact: true })).toBeVisible()
    await page.goto(app.at('explorer?operation=orders.cancel'))
    await expect(page.getByText('Your role may not call this operation')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
    await checkViews(page, 'explorer-auditor')
    const { origin } = new URL(page.url())
    const project = /\/p\/(\d+)\//.exec(page.url())?.[1] ?? ''
    const response = await page.request.post(`${origin}/api/v1/contract/add`, {
      headers: { origin, 'x-mintmark-session': project },
      data: {},
    })
    expect(response.status()).toBe(403)
  })

  test('verifies the audit log, which reports an entry that was changed in the database', async ({
    app,
    database,
  }) => {
    const page = await open(app, 'audit')
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await expect(page.getByText(/^The log is complete and unchanged/)).toBeVisible()
    await checkViews(page, 'audit-valid')
    const project = Number(/\/p\/(\d+)\//.exec(page.url())?.[1])
    const forged = `update gateway.audit_entries set actor = 'person:nobody' where project_id = $1 and id = 2`
    await changeDatabase(database, forged, project)
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await expect(page.getByText('The log was tampered with: entry 2 is wrong')).toBeVisible()
    await checkViews(page, 'audit-tampered')
  })
})
