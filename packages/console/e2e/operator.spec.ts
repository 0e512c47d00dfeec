// What operators do in the console: they see what stops, decide what the server cannot, and answer for it.

import { Role } from '@mintmark/admin'
import { lazyMinting } from '@mintmark/contracts'
import { type Order, orders } from '@mintmark/orders'
import { expect, type Page } from '@playwright/test'
import { sequenceEvents } from '../../gateway-server/src/testing/event-streams.ts'
import { createOrder, PRICE, payToken } from '../../gateway-server/src/testing/payment-cases.ts'
import { type PaymentFixture, paymentFixture } from '../../gateway-server/src/testing/payment-fixture.ts'
import {
  createLazyPresale,
  expireSignatures,
  runMintWatcher,
} from '../../gateway-server/src/testing/presales.ts'
import { newAddress } from '../../gateway-server/src/testing/samples/sample.ts'
import type { View } from './browser.ts'
import { checkViews } from './check-views.ts'
import { type ConsoleFixture, PASSWORD } from './console-fixture.ts'
import { consoleTest, perFile } from './console-test.ts'

const PHONE: View = { width: 390 }
const HASH = `0x${'ab'.repeat(32)}`

const test = consoleTest().extend<object, { payments: PaymentFixture }>({
  payments: perFile(
    () => paymentFixture({ unseenSeconds: 600, reservationSeconds: 3600, watchBlocks: 8 }),
    (payments) => payments.close(),
  ),
  consoleOptions: [
    async ({ payments: { gateway, project, openedChains } }, use) => {
      await use({ gateway, key: project.key, settings: { openedChains } })
    },
    { scope: 'worker' },
  ],
})

test.describe('an operator at the console', () => {
  const system = (payments: PaymentFixture) => payments.gateway.owner.system
  const query = (payments: PaymentFixture, text: string, values: unknown[]) =>
    payments.gateway.owner.pool.query(text, values)
  const at = (app: ConsoleFixture, path: string) => `${app.url}/console/operator/${path}`

  /** Opens a page of operators. All changes are events: the gateway has no jobs here. */
  async function openPage(payments: PaymentFixture, app: ConsoleFixture, path: string): Promise<Page> {
    await sequenceEvents(payments.gateway)
    return await app.openAsOperator({ ...PHONE, path })
  }

  /** Creates an order that is paid by each of these amounts. */
  async function createPaidOrder(
    payments: PaymentFixture,
    amounts: readonly bigint[],
    options = {},
  ): Promise<Order> {
    const { order } = await createOrder(payments, options)
    for (const amount of amounts) {
      const hash = await payToken(payments, order, amount)
      // The gateway refuses further payments, and records them.
      await payments.orderFixture.pay(order, hash).catch((error: { code?: number }) => {
        if (error.code !== 40901) throw error
      })
      await payments.mineAndVerify()
    }
    await payments.orderFixture.verify()
    return order
  }

  /** Creates a paid order that its seller has not delivered for four days. */
  async function createUndelivered(payments: PaymentFixture): Promise<Order> {
    const order = await createPaidOrder(payments, [PRICE], { indexed: true })
    await query(
      payments,
      "update gateway.orders set created_at = created_at - interval '4 days' where order_no = $1",
      [order.orderNo],
    )
    return order
  }

  /** Creates a mint signature that has expired, and that no node decides. Returns its uid. */
  async function createStuckMint(payments: PaymentFixture): Promise<string> {
    const { gateway, project } = payments
    gateway.mintChain.verify = async () => ({ unused: false, reason: 'missing trie node' })
    const { nftAddress } = await createLazyPresale(project.client, { pricedBy: 'CHAIN', limitPerWallet: 1 })
    const { uid } = await lazyMinting.mintSign(project.client, { nftAddress, recipient: newAddress() })
    expireSignatures(gateway)
    await runMintWatcher(gateway)
    return uid
  }

  /** Opens the details of a stuck order. */
  async function openOrder(page: Page, order: Order): Promise<void> {
    await page.getByTitle(order.orderNo).click()
    await expect(page.getByRole('dialog', { name: `Order ${order.orderNo}` })).toBeVisible()
  }

  const readOrder = (payments: PaymentFixture, { orderNo }: Order) =>
    orders.get(payments.project.client, { orderNo })

  async function readMintStatus(payments: PaymentFixture, uid: string): Promise<string | undefined> {
    const row = await system(payments)
      .selectFrom('gateway.mint_reservations')
      .select('status')
      .where('uid', '=', uid)
      .executeTakeFirst()
    return row?.status
  }

  /** Opens the decision about a stuck mint. */
  async function openMint(payments: PaymentFixture, page: Page, uid: string): Promise<void> {
    const row = await system(payments)
      .selectFrom('gateway.mint_reservations')
      .select('id')
      .where('uid', '=', uid)
      .executeTakeFirstOrThrow()
    await page.getByRole('button', { name: `signature ${row.id}`, exact: false }).click()
    await expect(page.getByRole('dialog', { name: `Decide mint signature ${row.id}?` })).toBeVisible()
  }

  /** Finds the records of a list: a table, or cards on a phone. */
  const findList = (page: Page, name: string) => page.getByRole('list', { name })

  test('An operator sees which chain cannot be read', { tag: '@operator' }, async ({ payments, app }) => {
    const page = await openPage(payments, app, 'health')
    await expect(page.getByText('Everything works')).toBeVisible()
    await checkViews(page, 'operator health')
    payments.node.interfere = () => 'hang up'
    try {
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.getByText(/cannot be read: /)).toBeVisible()
      await expect(page.getByText('Check that the node named in CHAINS runs', { exact: false })).toBeVisible()
      await expect(findList(page, 'Chains').getByText('Cannot be read')).toBeVisible()
      await checkViews(page, 'operator stopped chain')
    } finally {
      payments.node.interfere = () => undefined
    }
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('Everything works')).toBeVisible()
  })

  test('An operator closes an order that was paid too little', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const order = await createPaidOrder(payments, [PRICE - 1n])
    const page = await openPage(payments, app, 'orders')
    await expect(page.getByTitle(order.orderNo)).toBeVisible()
    await checkViews(page, 'operator stuck orders')
    await openOrder(page, order)
    await checkViews(page, 'operator stuck order')
    await page.getByRole('button', { name: 'Close as failed' }).click()
    const dialog = page.getByRole('dialog', { name: `Close order ${order.orderNo} as failed?` })
    await dialog.getByRole('button', { name: 'Close as failed' }).click()
    await expect(dialog.getByText('Enter why you decide this')).toBeVisible()
    await checkViews(page, 'operator decision without a reason')
    await dialog.getByLabel('Reason').fill('The buyer was paid back by bank transfer')
    await dialog.getByRole('button', { name: 'Close as failed' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(page.getByTitle(order.orderNo)).toHaveCount(0)
    expect((await readOrder(payments, order)).orderStatus).toBe(3)
  })

  test('An operator records a refund of what was paid twice', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const order = await createPaidOrder(payments, [PRICE, PRICE])
    const page = await openPage(payments, app, 'orders')
    await openOrder(page, order)
    await page.getByRole('button', { name: 'Record the refund' }).click()
    const dialog = page.getByRole('dialog', { name: `Record the refund of order ${order.orderNo}?` })
    await dialog.getByLabel('Reason').fill('The seller sent the second payment back')
    await dialog.getByLabel('Transaction of the refund').fill(HASH)
    await checkViews(page, 'operator refund')
    await dialog.getByRole('button', { name: 'Record the refund' }).click()
    await expect(page.getByTitle(order.orderNo)).toHaveCount(0)
    expect(await readOrder(payments, order)).toMatchObject({ orderStatus: 2, refundDue: false })
  })

  test('An operator ends the wait for the delivery of an order', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const order = await createUndelivered(payments)
    const page = await openPage(payments, app, 'orders')
    await openOrder(page, order)
    await page.getByRole('button', { name: 'End the wait for delivery' }).click()
    const dialog = page.getByRole('dialog', { name: 'End the wait for the delivery of order' })
    await dialog.getByLabel('Reason').fill('The token was handed over at the counter')
    await checkViews(page, 'operator delivery')
    await dialog.getByRole('button', { name: 'End the wait for delivery' }).click()
    await expect(page.getByTitle(order.orderNo)).toHaveCount(0)
    const { rows } = await query(payments, 'select delivery from gateway.orders where order_no = $1', [
      order.orderNo,
    ])
    expect(rows[0]?.delivery).not.toBe('pending')
  })

  test('An operator decides that a mint signature was not used', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const uid = await createStuckMint(payments)
    const page = await openPage(payments, app, 'mints')
    await expect(findList(page, 'Stuck mints')).toBeVisible()
    await checkViews(page, 'operator stuck mints')
    await openMint(payments, page, uid)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('The explorer shows no use')
    await checkViews(page, 'operator unused mint')
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await readMintStatus(payments, uid)).toBe('RELEASED')
  })

  test('decides that an expired mint signature was used', async ({ payments, app }) => {
    const uid = await createStuckMint(payments)
    const page = await openPage(payments, app, 'mints')
    await openMint(payments, page, uid)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('It was used').check()
    await dialog.getByLabel('Transaction', { exact: true }).fill(HASH)
    await dialog.getByLabel('Reason').fill('The explorer shows its mint')
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(dialog.getByText('Enter the id of the minted token')).toBeVisible()
    await checkViews(page, 'operator used mint')
    await dialog.getByLabel('Token id').fill('7')
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await readMintStatus(payments, uid)).toBe('MINTED')
  })

  test('An operator creates a project for a new owner', { tag: '@operator' }, async ({ payments, app }) => {
    const page = await openPage(payments, app, 'projects')
    const name = 'Corner Coffee'
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create project' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByRole('button', { name: 'Create project' }).click()
    const invitation = page.getByRole('dialog', { name: `Invite the owner of ${name}` })
    await invitation.getByLabel('Email address of the owner').fill('kim@example.com')
    await checkViews(page, 'operator invitation of an owner')
    await invitation.getByRole('button', { name: 'Invite' }).click()
    const link = page.getByRole('dialog', { name: 'Invitation of kim@example.com' })
    const url = (await link.getByText(`${app.url}/console/invitation/`).textContent()) ?? ''
    await checkViews(page, 'operator link of an owner')
    await link.getByRole('button', { name: 'Done' }).click()
    const row = findList(page, 'Projects').getByRole('listitem').filter({ hasText: name })
    await expect(row.getByText('Nobody yet')).toBeVisible()
    await checkViews(page, 'operator projects')
    const owner = await app.open(PHONE)
    await owner.goto(url)
    await expect(owner.getByText(name, { exact: false }).first()).toBeVisible()
    await expect(owner.getByLabel('Your name')).toBeVisible()
  })

  test('reads why the only operator cannot be removed', async ({ payments, app }) => {
    const page = await openPage(payments, app, 'people')
    await expect(page.getByText('You are the only operator')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Remove Olga Operator as an operator' })).toHaveCount(0)
    await checkViews(page, 'operator only operator')
    // The other operator of the list was removed in the meantime.
    const operator = { personId: 'gone', name: 'Gone Operator', email: 'gone@shop.example' }
    await page.route('**/admin/v1/operator/operators', async (route) => {
      const response = await route.fetch()
      const { data, ...envelope } = await response.json()
      const added = { ...operator, hasSecondFactor: false }
      await route.fulfill({ response, json: { ...envelope, data: [...data, added] } })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Remove Olga Operator as an operator' }).click()
    const question = page.getByRole('dialog', { name: 'Remove Olga Operator as an operator?' })
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(question.getByText('This person is the last operator of the server')).toBeVisible()
    await checkViews(page, 'operator refused removal of the last operator')
  })

  test('An operator adds another operator, and removes one', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const email = 'nora@shop.example'
    const page = await openPage(payments, app, 'people')
    await page.getByRole('button', { name: 'Add operator' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add operator' })
    await dialog.getByLabel('Email address').fill(email)
    await checkViews(page, 'operator new operator')
    await dialog.getByRole('button', { name: 'Add operator' }).click()
    const link = page.getByRole('dialog', { name: `Invitation of ${email}` })
    const url = (await link.getByText(`${app.url}/console/invitation/`).textContent()) ?? ''
    await link.getByRole('button', { name: 'Done' }).click()
    const other = await app.open(PHONE)
    await other.goto(url)
    await expect(other.getByRole('heading', { level: 1, name: 'Operate this server' })).toBeVisible()
    await checkViews(other, 'operator invitation of an operator')
    await other.getByLabel('Your name').fill('Nora New')
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await other.getByLabel('Repeat').fill(PASSWORD)
    await other.getByRole('button', { name: 'Become an operator' }).click()
    await expect(other.getByRole('heading', { level: 1, name: 'Health' })).toBeVisible()
    await page.reload()
    await expect(page.getByText(email)).toBeVisible()
    await checkViews(page, 'operator operators')
    await page.getByRole('button', { name: 'Remove Nora New as an operator' }).click()
    const question = page.getByRole('dialog', { name: 'Remove Nora New as an operator?' })
    await checkViews(page, 'operator question about an operator')
    await question.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText(email)).toHaveCount(0)
    // Gateways remember a session for a second.
    const headers = { 'x-mintmark-session': 'none' }
    const read = async () =>
      (await other.request.get(`${app.url}/admin/v1/operator/health`, { headers })).status()
    await expect.poll(read).toBe(403)
  })

  test('An operator removes an account of a stolen address', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    const email = 'taken@shop.example'
    const impostor = await app.open(PHONE)
    await app.createPerson(impostor, { email, name: 'Kim', role: Role.AUDITOR })
    const page = await openPage(payments, app, 'people')
    await page.getByRole('button', { name: 'Remove an account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove an account' })
    await dialog.getByLabel('Email address of the account').fill(email)
    await checkViews(page, 'operator account to remove')
    await dialog.getByRole('button', { name: 'Remove the account' }).click()
    await expect(page.getByText(`The account of ${email} is removed`)).toBeVisible()
    await expect.poll(() => app.readSessionStatus(impostor)).toBe(401)
  })

  test('An operator sees who became an operator, and verifies it', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    // The operator exists when a page was opened as one.
    await app.openAsOperator(PHONE)
    const page = await openPage(payments, app, 'audit?type=people&action=UPDATED')
    await expect(page.getByRole('heading', { level: 1, name: 'Server audit log' })).toBeVisible()
    const list = findList(page, 'Server audit log')
    await expect(list.getByText('is_operator: false → true').last()).toBeVisible()
    await checkViews(page, 'operator server audit log')
    await page.getByRole('button', { name: 'Verify the log' }).click()
    await expect(page.getByText('The log is complete and unchanged')).toBeVisible()
    await expect(page.getByText('mintmark-gateway audit verify --project 0')).toBeVisible()
    await checkViews(page, 'operator verified server audit log')
    await list.getByRole('button').last().click()
    await expect(page.getByRole('dialog').getByText('is_operator')).toBeVisible()
    await checkViews(page, 'operator entry of the server audit log')
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
    expect((await download).suggestedFilename()).toBe('audit-of-server.jsonl')
  })

  test('An operator retries changes that could not be reported', { tag: '@operator' }, async ({
    payments,
    app,
  }) => {
    await query(
      payments,
      `insert into gateway.row_changes (project_id, relation, after, problem)
       values ($1, 'gateway.unknown', '{"id": 7}', 'No event describes the table unknown')`,
      [app.projectId],
    )
    const page = await openPage(payments, app, 'health')
    await expect(page.getByText('1 change could not be reported as events')).toBeVisible()
    await checkViews(page, 'operator unreported change')
    await page.getByRole('button', { name: 'Retry all' }).click()
    const dialog = page.getByRole('dialog', { name: 'Retry 1 change?' })
    await dialog.getByRole('button', { name: 'Retry all' }).click()
    await expect(page.getByText('Everything works')).toBeVisible()
    const { rows } = await query(
      payments,
      "delete from gateway.row_changes where relation = 'gateway.unknown' returning problem",
      [],
    )
    expect(rows).toEqual([{ problem: '' }])
  })

  test('is refused without the rights: neither the page nor the server responds', async ({ app }) => {
    const page = await app.openAs(Role.OWNER, PHONE)
    for (const path of ['health', 'projects', 'people', 'orders', 'mints', 'audit']) {
      await page.goto(at(app, path))
      await expect(
        page.getByRole('heading', { level: 1, name: 'Only operators of this server see this page' }),
      ).toBeVisible()
    }
    await checkViews(page, 'operator no operator')
    await expect(page.locator('a[href*="/operator/"]')).toHaveCount(0)
    const headers = { 'x-mintmark-session': 'none' }
    for (const path of ['health', 'projects', 'operators', 'stuckOrders', 'stuckMints', 'audit']) {
      const response = await page.request.get(`${app.url}/admin/v1/operator/${path}`, { headers })
      expect(response.status(), path).toBe(403)
    }
  })

  test('is in the audit log of the project with name and reason', async ({ payments, app }) => {
    const reason = 'The explorer shows no use'
    const uid = await createStuckMint(payments)
    const decision = await openPage(payments, app, 'mints')
    await openMint(payments, decision, uid)
    const dialog = decision.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: 'Decide' }).click()
    await expect(dialog).toHaveCount(0)
    // The entries of the log are written with the events.
    await sequenceEvents(payments.gateway)
    const page = await app.openAs(Role.OWNER, {
      ...PHONE,
      path: 'audit?type=mint_reservations&action=UPDATED',
    })
    await findList(page, 'Audit log').getByRole('button').first().click()
    const entry = page.getByRole('dialog')
    // The first is who made the change; the changed field that names the operator follows.
    await expect(entry.getByText('Olga Operator').first()).toBeVisible()
    await expect(entry.getByText(reason)).toBeVisible()
    await checkViews(page, 'operator audit entry')
  })
})
